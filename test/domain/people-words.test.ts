import test from 'ava'
import { allowedScopes } from '../../src/commands/oauth/decide.ts'
import { browserCookie, CONSENT_COOKIE, isInteractionSecret } from '../../src/domain/consent-cookie.ts'
import {
  ACCESS_TOKEN_MS,
  askedScopes,
  CODE_MS,
  INTERACTION_MS,
  READ_SCOPES,
  REFRESH_TOKEN_MS,
  resourceOf,
  resourceUri,
  SCOPES,
  UNUSED_CLIENT_MS,
} from '../../src/domain/oauth.ts'
import { PERMISSIONS, permissionsOf } from '../../src/domain/permissions.ts'
import { mergeRetention, readRetention, isWithheld } from '../../src/domain/retention.ts'
import { SCOPE_WORDS } from '../../src/domain/scope-words.ts'
import { factsOf, isAccountField, isNative, isNumberField, NATIVE_FIELDS } from '../../src/domain/upstream-fields.ts'
import { emailKeyOf, INVITATION_MS, isInvitation, LOGIN_LIMITS, PASSWORD_LENGTH } from '../../src/domain/user.ts'
import {
  isLoginToken,
  isSessionSecret,
  LOGIN_TOKEN_MS,
  permissionsOfSession,
  roleOf,
  SESSION_IDLE_MS,
  SESSION_MAX_MS,
} from '../../src/domain/web-session.ts'

const [MINUTE_MS, HOUR_MS, DAY_MS] = [60_000, 3_600_000, 86_400_000]
const SECRET = 'aZ0_-'.repeat(9).slice(0, 43)

// [people.users.1] [people.users.10] [sessions.login.12]
test('people are known by an address in any case, and guesses of their passwords are bounded', (t) => {
  t.is(emailKeyOf(' Ana@Example.COM '), 'ana@example.com')
  t.deepEqual(PASSWORD_LENGTH, { least: 12, most: 200 })
  t.is(INVITATION_MS, 7 * DAY_MS)
  t.deepEqual(LOGIN_LIMITS, {
    ofAddress: [{ most: 20, withinMs: MINUTE_MS }],
    ofAddressAndAccount: [{ most: 10, withinMs: 15 * MINUTE_MS }],
    ofAccount: [
      { most: 100, withinMs: 15 * MINUTE_MS },
      { most: 200, withinMs: 2 * HOUR_MS },
      { most: 400, withinMs: DAY_MS },
    ],
    ofBrowser: [{ most: 10, withinMs: 15 * MINUTE_MS }],
  })
})

test('secrets are told from other texts by their form', (t) => {
  for (const isSecret of [isInvitation, isSessionSecret, isInteractionSecret]) {
    t.true(isSecret(SECRET))
    for (const odd of ['', SECRET.slice(1), `${SECRET}a`, SECRET.replace('Z', '+'), ` ${SECRET}`, `${SECRET}\n`])
      t.false(isSecret(odd), odd)
  }
  t.true(isLoginToken(`lt_${SECRET}`))
  for (const odd of [SECRET, `lt_${SECRET}a`, `xlt_${SECRET}`, `lt_${SECRET.slice(1)}`]) t.false(isLoginToken(odd), odd)
})

// [sessions.cookie.3] [sessions.login-links.1] [people.permissions.14]
test('a session acts with the role of its person, and as an owner without one', (t) => {
  const user = { id: 'usr_1' as const, email: 'a@b.io', name: null, role: 'AGENT' } as const
  t.is(roleOf({ user }), 'AGENT')
  t.is(roleOf({ user: null }), 'OWNER')
  t.deepEqual(permissionsOfSession({ user: null }), permissionsOf('OWNER'))
  t.deepEqual([SESSION_IDLE_MS, SESSION_MAX_MS, LOGIN_TOKEN_MS], [12 * HOUR_MS, 7 * DAY_MS, 15 * MINUTE_MS])
})

// [oauth.resources-and-scopes.1] [oauth.resources-and-scopes.3]
test('a client asks for scopes and for one resource, by its address', (t) => {
  t.deepEqual(askedScopes(undefined), READ_SCOPES)
  t.deepEqual(askedScopes('  '), READ_SCOPES)
  t.deepEqual(askedScopes('odd'), [])
  t.deepEqual(askedScopes('chat:send odd chat:read'), ['chat:read', 'chat:send'])
  t.true(READ_SCOPES.every((scope) => scope.endsWith(':read')) && READ_SCOPES.length > 3)
  t.true(SCOPES.every((scope) => PERMISSIONS[scope].isGranted))
  t.is(resourceUri('https://a.io', 'mcp'), 'https://a.io/mcp')
  t.deepEqual(
    ['https://a.io/mcp', 'https://a.io/v1/', 'https://a.io/v1//', 'https://a.io/', 'https://b.io/v1'].map((uri) =>
      resourceOf('https://a.io', uri),
    ),
    ['mcp', 'v1', null, null, null],
  )
  t.deepEqual(
    [CODE_MS, ACCESS_TOKEN_MS, REFRESH_TOKEN_MS, INTERACTION_MS, UNUSED_CLIENT_MS],
    [MINUTE_MS, HOUR_MS, 30 * DAY_MS, 10 * MINUTE_MS, 30 * DAY_MS],
  )
})

test('each permission is told in words of its own, and nobody gives away what the own role lacks', (t) => {
  t.deepEqual(Object.keys(SCOPE_WORDS).toSorted(), Object.keys(PERMISSIONS).toSorted())
  const words = Object.values(SCOPE_WORDS)
  t.true(words.every((text) => text.length >= 9) && new Set(words).size === words.length)
  t.deepEqual(allowedScopes(['chat:read', 'account:manage'], 'OWNER'), ['chat:read', 'account:manage'])
  t.false(allowedScopes(['chat:read', 'account:manage'], 'AGENT').includes('account:manage'))
})

test('the cookie of a request for consent goes to that request alone, and over TLS where there is any', (t) => {
  t.is(
    browserCookie('https://a.io', 'i1', 's'),
    `${CONSENT_COOKIE}=s; Path=/api/oauth/interactions/i1; HttpOnly; SameSite=Lax; Max-Age=600; Secure`,
  )
  t.is(
    browserCookie('http://localhost', 'i1', 's'),
    'cms_consent=s; Path=/api/oauth/interactions/i1; HttpOnly; SameSite=Lax; Max-Age=600',
  )
})

// [numbers.privacy.1] [numbers.privacy.2] [leads.privacy.1] [leads.privacy.2]
test('the privacy of a number needs its days where it has a window, and withholds what is older', (t) => {
  const forever = { piiMode: 'STORE_INDEFINITE', piiRetentionDays: null } as const
  const week = { piiMode: 'STORE_X_DAYS', piiRetentionDays: 7 } as const
  const after = (before: typeof forever | typeof week, input: Parameters<typeof mergeRetention>[1]) => {
    const merged = mergeRetention(before, input)
    return merged.ok ? merged.value : merged.error.details
  }
  t.deepEqual(after(forever, {}), forever)
  t.deepEqual(after(forever, { piiRetentionDays: 3 }), forever)
  t.deepEqual(after(week, {}), week)
  t.deepEqual(after(week, { piiRetentionDays: 3 }), { ...week, piiRetentionDays: 3 })
  t.deepEqual(after(week, { piiMode: 'RELAY_ONLY' }), { piiMode: 'RELAY_ONLY', piiRetentionDays: null })
  const needed = [{ path: 'piiRetentionDays', message: 'is needed with STORE_X_DAYS' }]
  t.deepEqual(after(forever, { piiMode: 'STORE_X_DAYS' }), needed)
  t.deepEqual(after(week, { piiRetentionDays: null }), needed)
  t.deepEqual(readRetention(week), week)
  t.deepEqual(readRetention(forever), forever)
  t.is(readRetention({ piiMode: 'ODD', piiRetentionDays: 3 }), null)
  t.is(readRetention({ piiMode: 'STORE_X_DAYS', piiRetentionDays: null }), null)
  const withheld = (retention: Parameters<typeof isWithheld>[0], ageMs: number) =>
    isWithheld(retention, new Date(10 * DAY_MS - ageMs), 10 * DAY_MS)
  t.deepEqual([withheld(week, 7 * DAY_MS), withheld(week, 7 * DAY_MS + 1)], [false, true])
  t.true(withheld({ ...week, piiRetentionDays: null } as never, 0))
  t.true(withheld({ piiMode: 'RELAY_ONLY', piiRetentionDays: null }, 0))
  t.false(withheld(forever, 9 * DAY_MS))
})

// [events.native.4] [events.native.5]
test('each field of upstream is passed on or held back, and read by numbers, by accounts or by nobody', (t) => {
  t.deepEqual(['messages', 'calls', 'message_echoes', 'smb_message_echoes'].map(isNumberField), [
    true,
    true,
    true,
    true,
  ])
  for (const field of ['flows', 'account_update', 'message_template_status_update', 'phone_number_quality_update'])
    t.deepEqual([isAccountField(field), isNumberField(field), isNative(field)], [true, false, true], field)
  for (const field of ['history', 'security', 'standby', 'odd', 'toString'])
    t.deepEqual([isAccountField(field), isNumberField(field), isNative(field)], [false, false, false], field)
  t.is(factsOf('odd'), null)
  t.is(factsOf('constructor'), null)
  t.deepEqual(factsOf('messages'), { isForwarded: true, reader: 'number', tellsOfPerson: true, hasItemIds: true })
  t.deepEqual(factsOf('calls'), { isForwarded: true, reader: 'number', tellsOfPerson: false, hasItemIds: true })
  t.deepEqual(factsOf('user_preferences'), {
    isForwarded: true,
    reader: null,
    tellsOfPerson: false,
    hasItemIds: false,
  })
  t.deepEqual(factsOf('history'), { isForwarded: false, reader: null, tellsOfPerson: false, hasItemIds: false })
  t.true(NATIVE_FIELDS.includes('group_status_update'))
  t.false((NATIVE_FIELDS as readonly string[]).includes('tracking_events'))
})
