import { cpSync, symlinkSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { generateApiKey } from '../../src/domain/api-key.ts'
import { copyMigrated } from '../helpers/migrated-folder.ts'
import { call, Program } from '../helpers/service.ts'
import { temporaryDirectory } from '../helpers/temporary-directory.ts'
import { until } from '../helpers/until.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

test('a service whose pages were never built answers the API, and says what to run where a page is asked for', async (t) => {
  const { path: root, remove } = await temporaryDirectory()
  t.teardown(remove)
  for (const path of ['src', 'actors', 'media-host', 'migrations', 'package.json'])
    cpSync(join(ROOT, path), join(root, path), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'))
  const key = generateApiKey()
  await copyMigrated(join(root, 'data'))
  const gateway = new Program(relative(ROOT, join(root, 'src/main.ts')), {
    PORT: '0',
    DATA_DIR: join(root, 'data'),
    SANDBOX: 'off',
    MEDIA_HOSTS: 'ws://127.0.0.1:9',
    INTERNAL_SECRET: 'secret-of-a-test-only',
    BOOTSTRAP_TENANT_KEY: key,
  })
  t.teardown(() => gateway.kill())
  const { port } = await gateway.listening
  const url = `http://127.0.0.1:${port}`
  await until('the API answers', async () => (await call('GET', `${url}/v1/numbers`, { key })).status === 200)
  const page = await call('GET', `${url}/embed.js`)
  t.is(page.status, 503)
  t.is(page.body.code, 'WEB_ASSETS_MISSING')
  t.regex(page.body.error, /`npm run web`/)
  t.true(gateway.output.join('').includes('npm run web'))
})
