/** Roles of people ([people.permissions.1] to [people.permissions.9]). */
export const ROLES = ['OWNER', 'ADMIN', 'AGENT', 'ANALYST'] as const
export type Role = (typeof ROLES)[number]

interface PermissionFacts {
  /** The roles whose sessions and tokens may have it. */
  readonly roles: readonly Role[]
  /** False when only sessions have it: no client is ever granted it. */
  readonly isGranted: boolean
}

const ALL: PermissionFacts = { roles: ROLES, isGranted: true }
const NO_ANALYST: PermissionFacts = { roles: ['OWNER', 'ADMIN', 'AGENT'], isGranted: true }
const ADMINS: PermissionFacts = { roles: ['OWNER', 'ADMIN'], isGranted: true }

/**
 * What a token or a session may do ([people.permissions.1] to [people.permissions.9]); classic keys know no roles
 * ([people.permissions.13]).
 */
export const PERMISSIONS = {
  'numbers:read': ALL,
  'numbers:manage': ADMINS,
  /** Messages, conversations, groups, newsletters, media, leads and referrals. */
  'chat:read': NO_ANALYST,
  'chat:send': NO_ANALYST,
  'calls:read': NO_ANALYST,
  'calls:manage': NO_ANALYST,
  'templates:read': ALL,
  'templates:manage': ADMINS,
  /** Flows with their responses, apart from `templates:read` ([people.permissions.6]). */
  'flows:read': ALL,
  'flows:manage': ADMINS,
  'leads:manage': ADMINS,
  /** The summary of referrals, and reading ad access. */
  'ads:read': ALL,
  'webhooks:read': ADMINS,
  'webhooks:manage': ADMINS,
  /** Users, keys and the subscription. */
  'account:manage': { roles: ['OWNER', 'ADMIN'], isGranted: false },
} as const satisfies Record<string, PermissionFacts>

export type Permission = keyof typeof PERMISSIONS

/** Every permission, in the order of the table. */
export const PERMISSION_NAMES = Object.keys(PERMISSIONS) as readonly Permission[]

const BY_ROLE: Readonly<Record<Role, ReadonlySet<Permission>>> = {
  OWNER: namesOf('OWNER'),
  ADMIN: namesOf('ADMIN'),
  AGENT: namesOf('AGENT'),
  ANALYST: namesOf('ANALYST'),
}

/**
 * Lists what people of a role may do. Whoever signed in by the tenant's key or a login link acts as an OWNER
 * ([people.permissions.14]).
 */
export function permissionsOf(role: Role): ReadonlySet<Permission> {
  return BY_ROLE[role]
}

function namesOf(role: Role): ReadonlySet<Permission> {
  const isOfRole = ({ roles }: PermissionFacts): boolean => roles.includes(role)
  return new Set(PERMISSION_NAMES.filter((name) => isOfRole(PERMISSIONS[name])))
}
