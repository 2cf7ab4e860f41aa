import test from 'ava'
import { PERMISSIONS, ROLES, type Permission, type Role } from '../../src/domain/permissions.ts'

const NAMES = Object.keys(PERMISSIONS) as Permission[]

function heldBy(role: Role): Permission[] {
  return NAMES.filter((name) => PERMISSIONS[name].roles.some((holder) => holder === role))
}

// [people.permissions.1] [people.permissions.2] [people.permissions.3] [people.permissions.4] [people.permissions.5]
// [people.permissions.6] [people.permissions.7] [people.permissions.8] [people.permissions.9]
test('owners and admins hold every permission, agents and analysts what they work with', (t) => {
  t.deepEqual(heldBy('OWNER'), NAMES)
  t.deepEqual(heldBy('ADMIN'), NAMES)
  t.deepEqual(heldBy('AGENT'), [
    'numbers:read',
    'chat:read',
    'chat:send',
    'calls:read',
    'calls:manage',
    'templates:read',
    'flows:read',
    'ads:read',
  ])
  t.deepEqual(heldBy('ANALYST'), ['numbers:read', 'templates:read', 'flows:read', 'ads:read'])
  t.is(ROLES.length, 4)
})

// [people.permissions.9]
test('clients are granted all but the account', (t) => {
  t.deepEqual(
    NAMES.filter((name) => !PERMISSIONS[name].isGranted),
    ['account:manage'],
  )
})
