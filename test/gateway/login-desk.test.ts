import test from 'ava'
import { newId } from '../../src/domain/ids.ts'
import { listenForAdmin } from '../../src/gateway/admin-socket.ts'
import { askToMintLogin, loginCommands, loginDesk } from '../../src/gateway/login-desk.ts'
import { tenantDesk } from '../../src/gateway/tenant-desk.ts'
import { OWN_PAGE } from '../helpers/dashboard.ts'
import { serve } from '../helpers/http-app.ts'
import { World } from '../helpers/world.ts'
import { MemoryTenants } from '../helpers/memory/keys.ts'
import { temporaryDirectory } from '../helpers/temporary-directory.ts'

test('an operator gets login links of the running gateway, each of which signs one browser in', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const { path: dataDir, remove } = await temporaryDirectory()
  t.is(await askToMintLogin(dataDir, null), null, 'nobody listens')
  const tenants = tenantDesk({
    tenants: new MemoryTenants(world.rows, world.keys),
    keys: world.keys,
    revokeCallers: async () => {},
  })
  const socket = await listenForAdmin(
    dataDir,
    tenants,
    loginCommands(loginDesk({ webSessions: world.webSessions, baseUrl: 'https://api.example', isDashboardOn: true })),
  )
  t.teardown(async () => {
    socket.close()
    await remove()
  })
  for (const [tenantId, name] of [
    [null, 'Acme'],
    [world.otherTenantId, 'Umbrella'],
  ] as const) {
    const { url = '' } = (await askToMintLogin(dataDir, tenantId)) ?? {}
    t.regex(url, /^https:\/\/api\.example\/login#lt_[\w-]{43}$/)
    const redeem = () =>
      client.send('POST', '/api/session', { headers: OWN_PAGE, body: { loginToken: new URL(url).hash.slice(1) } })
    t.is((await redeem()).body.tenant.name, name)
    t.is((await redeem()).status, 401)
  }
  await t.throwsAsync(askToMintLogin(dataDir, newId('ten')), { message: /there is no tenant ten_/ })
})

test('where the dashboard is off, no login link is made', async (t) => {
  const { webSessions } = new World()
  await t.throwsAsync(loginDesk({ webSessions, baseUrl: 'https://api.example', isDashboardOn: false }).mint(null), {
    message: /DASHBOARD is off/,
  })
})
