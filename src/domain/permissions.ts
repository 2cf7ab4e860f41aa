/** Roles of people (contract 14). */
export const ROLES = ['OWNER', 'ADMIN', 'AGENT', 'ANALYST'] as const
export type Role = (typeof ROLES)[number]

interface PermissionFacts {
  /** Whose sessions and tokens may have it. */
  readonly roles: readonly Role[]
  /** False: of sessions alone, no client is ever granted it. */
  readonly isGranted: boolean
}

const ALL: PermissionFacts = { roles: ROLES, isGranted: true }
const NO_ANALYST: PermissionFacts = { roles: ['OWNER', 'ADMIN', 'AGENT'], isGranted: true }
const ADMINS: PermissionFacts = { roles: ['OWNER', 'ADMIN'], isGranted: true }

/** What a token or a session may do; classic keys know no roles (spec: Authentication 5; contract 14). */
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
  /** Flows with their responses; distinct from `templates:read` (spec: Authentication 5). */
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
 * What people of a role may do (contract 14); whoever signed in by the tenant's key or a login link acts as an OWNER.
 */
export function permissionsOf(role: Role): ReadonlySet<Permission> {
  return BY_ROLE[role]
}

function namesOf(role: Role): ReadonlySet<Permission> {
  const isOfRole = ({ roles }: PermissionFacts): boolean => roles.includes(role)
  return new Set(PERMISSION_NAMES.filter((name) => isOfRole(PERMISSIONS[name])))
}
