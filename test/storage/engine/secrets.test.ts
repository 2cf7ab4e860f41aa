import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'ava'
import { loadOrCreateNodeId, loadOrCreateSecrets } from '../../../src/storage/engine/secrets.ts'
import { temporaryDirectory } from '../../helpers/temporary-directory.ts'

test('secrets are made once, kept, and readable by their owner only', async (t) => {
  const directory = await temporaryDirectory()
  t.teardown(() => directory.remove())
  const dataDir = join(directory.path, 'deep', 'data')
  const made = await loadOrCreateSecrets(dataDir)
  t.is(Buffer.from(made.encryptionKey, 'base64').length, 32)
  t.true(made.internalSecret.length >= 16)
  t.deepEqual(await loadOrCreateSecrets(dataDir), made)
  for (const name of ['encryption-key', 'internal-secret']) t.is((await stat(join(dataDir, name))).mode & 0o777, 0o600)
  t.is((await stat(dataDir)).mode & 0o777, 0o700)
  t.is((await readFile(join(dataDir, 'encryption-key'), 'utf8')).trim(), made.encryptionKey)
})

// [configuration.variables.29]
test('starts at once agree on one secret and one node id', async (t) => {
  const directory = await temporaryDirectory()
  t.teardown(() => directory.remove())
  const secrets = await Promise.all(Array.from({ length: 8 }, () => loadOrCreateSecrets(directory.path)))
  const nodes = await Promise.all(Array.from({ length: 8 }, () => loadOrCreateNodeId(directory.path)))
  t.is(new Set(secrets.map(({ encryptionKey }) => encryptionKey)).size, 1)
  t.is(new Set(nodes).size, 1)
  t.regex(nodes[0] ?? '', /^node_[0-9a-z]{26}$/)
})
