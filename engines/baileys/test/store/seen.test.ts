import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { QUOTE_MS, SEEN_MS } from '../../store/seen.ts'
import { openStore, temporaryFolder } from '../helpers/open-store.ts'

const key = { remoteJid: '4915100000001@s.whatsapp.net', participant: null, fromMe: false, id: 'M1' }

test('a received message is known by its id, its words for 72 hours and itself for 30 days, sealed', async (t) => {
  const folder = temporaryFolder(t)
  let now = 1_000
  const store = openStore(folder, () => now)
  t.teardown(() => store.close())
  const { seen } = store.number('num_1')
  await seen.note({ key, text: 'a secret of Ann' })
  await seen.note({ key, text: 'told again' })
  t.deepEqual(seen.find('M1'), { key, text: 'a secret of Ann' })
  t.is(seen.find('M2'), null)
  t.is(store.number('num_2').seen.find('M1'), null)
  for (const name of readdirSync(folder)) {
    const bytes = readFileSync(join(folder, name), 'latin1')
    t.false(bytes.includes('secret of Ann') || bytes.includes('4915100000001'), name)
  }
  now += QUOTE_MS + 1
  await store.purge()
  t.deepEqual(seen.find('M1'), { key, text: '' })
  now += SEEN_MS
  await store.purge()
  t.is(seen.find('M1'), null)
})
