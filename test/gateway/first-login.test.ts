import test from 'ava'
import type { Core } from '../../src/gateway/core.ts'
import { firstLoginUrl } from '../../src/gateway/first-login.ts'
import { welcomeCard } from '../../src/gateway/welcome-card.ts'
import { silentLog } from '../helpers/silent.ts'

const MADE = `lt_${'a'.repeat(43)}`

function asked(config: { host: string; isDashboardOn?: boolean }, token: string | null = MADE): Promise<string | null> {
  const core = { config: { isDashboardOn: true, ...config }, log: silentLog } as unknown as Core
  return firstLoginUrl(core, { webSessions: { mintLoginToken: async () => token }, baseUrl: 'http://localhost:3000' })
}

// [sessions.login-links.2]
test('a gateway that only this machine reaches makes a login link of the oldest tenant as it starts', async (t) => {
  for (const host of ['127.0.0.1', '127.8.8.8', '::1', 'localhost'])
    t.is(await asked({ host }), `http://localhost:3000/login#${MADE}`, host)
})

test('no link is made where others reach the gateway, where the dashboard is off, or without a tenant', async (t) => {
  for (const host of ['0.0.0.0', '::', '10.0.0.1', '128.0.0.1', 'localhost.example'])
    t.is(await asked({ host }), null, host)
  t.is(await asked({ host: '127.0.0.1', isDashboardOn: false }), null)
  t.is(await asked({ host: '127.0.0.1' }, null), null)
})

test('the link is shown in a terminal and elsewhere, and nothing is where nothing was made', (t) => {
  const listening = { port: 3000, mediaPort: null, sandboxPort: null, baseUrl: 'http://localhost:3000' }
  const loginUrl = `http://localhost:3000/login#${MADE}`
  for (const isTerminal of [true, false])
    t.true(welcomeCard({ listening, firstKey: null, loginUrl }, isTerminal).includes(loginUrl))
  t.is(welcomeCard({ listening, firstKey: null, loginUrl: null }, false), '')
})
