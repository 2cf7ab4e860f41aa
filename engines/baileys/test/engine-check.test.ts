import test, { registerCompletionHandler } from 'ava'
import { ANA, BIA, passes, PATIENCE_SECONDS } from './helpers/engine-check.ts'
import { startEngineProcess } from './helpers/engine-process.ts'
import { temporaryFolder } from './helpers/open-store.ts'
import { networkFor } from './network/started.ts'

registerCompletionHandler(() => process.exit())

test('engine:check passes: pairing, resuming, sending once, messages told until they are acknowledged, logout; audio of calls is refused clearly', async (t) => {
  t.timeout(300_000)
  const network = await networkFor(t)
  const engine = await startEngineProcess(t, network, temporaryFolder(t))
  const bia = network.phone(BIA, 'Bia')
  const replied = bia
    .find(({ text }) => text?.includes('please write something back') === true, PATIENCE_SECONDS * 1_000)
    .then(() => bia.text(ANA, 'here I am'))
  replied.catch(() => {})
  const url = `ws://127.0.0.1:${engine.port}`
  const findings = await passes(t, { network, url, also: ['--reply', '--calls'] })
  t.regex(findings.find(({ name }) => name === 'call.offer')?.seen ?? '', /^CALL_AUDIO_UNSUPPORTED/)
})
