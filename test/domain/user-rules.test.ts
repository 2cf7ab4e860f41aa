import test from 'ava'
import type { Outcome } from '../../src/domain/errors.ts'
import type { Role } from '../../src/domain/permissions.ts'
import type { UserStatus } from '../../src/domain/user.ts'
import {
  decideChange,
  decideInvitation,
  decideRemoval,
  type StandingUser,
  type UserPatch,
} from '../../src/domain/user-rules.ts'

function standing(role: Role, status: UserStatus, isLastOwner = false): StandingUser {
  return {
    user: { id: 'usr_1', email: 'a@example.com', name: 'Ann', role, status, lastSeenAt: null, createdAt: new Date(0) },
    hasPassword: status !== 'INVITED',
    isLastOwner,
  }
}

function said(outcome: Outcome<unknown>): unknown {
  return outcome.ok ? outcome.value : outcome.error.code
}

const ANN = { name: 'Ann' }

/** A user, a patch, and the answers that an OWNER and an ADMIN get. */
const CHANGES: readonly [StandingUser, UserPatch, unknown, unknown][] = [
  [
    standing('AGENT', 'ACTIVE'),
    {},
    { ...ANN, role: 'AGENT', status: 'ACTIVE' },
    { ...ANN, role: 'AGENT', status: 'ACTIVE' },
  ],
  [
    standing('AGENT', 'ACTIVE'),
    { role: 'ADMIN', name: null },
    { name: null, role: 'ADMIN', status: 'ACTIVE' },
    { name: null, role: 'ADMIN', status: 'ACTIVE' },
  ],
  [standing('AGENT', 'ACTIVE'), { role: 'OWNER' }, { ...ANN, role: 'OWNER', status: 'ACTIVE' }, 'PERMISSION_DENIED'],
  [standing('OWNER', 'ACTIVE'), { role: 'AGENT' }, { ...ANN, role: 'AGENT', status: 'ACTIVE' }, 'PERMISSION_DENIED'],
  [
    standing('OWNER', 'ACTIVE', true),
    { role: 'OWNER', status: 'ACTIVE' },
    { ...ANN, role: 'OWNER', status: 'ACTIVE' },
    'PERMISSION_DENIED',
  ],
  [standing('OWNER', 'ACTIVE', true), { role: 'ADMIN' }, 'LAST_OWNER', 'PERMISSION_DENIED'],
  [standing('OWNER', 'ACTIVE', true), { status: 'DISABLED' }, 'LAST_OWNER', 'PERMISSION_DENIED'],
  [
    standing('AGENT', 'INVITED'),
    { status: 'ACTIVE' },
    { ...ANN, role: 'AGENT', status: 'INVITED' },
    { ...ANN, role: 'AGENT', status: 'INVITED' },
  ],
  [
    standing('AGENT', 'DISABLED'),
    { status: 'ACTIVE' },
    { ...ANN, role: 'AGENT', status: 'ACTIVE' },
    { ...ANN, role: 'AGENT', status: 'ACTIVE' },
  ],
  [
    standing('AGENT', 'DISABLED'),
    { role: 'ANALYST' },
    { ...ANN, role: 'ANALYST', status: 'DISABLED' },
    { ...ANN, role: 'ANALYST', status: 'DISABLED' },
  ],
]

test("a change of a user is decided by the user's state, the request and the role of the requester", (t) => {
  for (const [stands, patch, byOwner, byAdmin] of CHANGES) {
    const what = JSON.stringify([stands.user.role, stands.user.status, patch])
    t.deepEqual(said(decideChange(stands, patch, { isOwner: true })), byOwner, what)
    t.deepEqual(said(decideChange(stands, patch, { isOwner: false })), byAdmin, what)
  }
})

test('an ADMIN neither removes nor invites OWNERs, nobody removes the last one, and who is DISABLED is sent no link', (t) => {
  const [owner, admin] = [{ isOwner: true }, { isOwner: false }]
  t.deepEqual(
    [
      said(decideRemoval(standing('OWNER', 'ACTIVE'), owner)),
      said(decideRemoval(standing('OWNER', 'ACTIVE'), admin)),
      said(decideRemoval(standing('OWNER', 'ACTIVE', true), owner)),
      said(decideRemoval(standing('ADMIN', 'ACTIVE'), admin)),
    ],
    [null, 'PERMISSION_DENIED', 'LAST_OWNER', null],
  )
  t.deepEqual(
    [
      said(decideInvitation(standing('OWNER', 'ACTIVE', true), owner)),
      said(decideInvitation(standing('OWNER', 'INVITED'), admin)),
      said(decideInvitation(standing('AGENT', 'DISABLED'), owner)),
      said(decideInvitation(standing('AGENT', 'ACTIVE'), admin)),
    ],
    [null, 'PERMISSION_DENIED', 'VALIDATION', null],
  )
})
