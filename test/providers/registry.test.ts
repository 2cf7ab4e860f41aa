import test from 'ava'
import type { ProviderDriver } from '../../src/ports/provider.ts'
import { createRegistry } from '../../src/providers/registry.ts'

test('each kind has its driver, or none', (t) => {
  const driver: ProviderDriver = { kind: 'UNOFFICIAL', openSession: () => t.fail() as never }
  t.is(createRegistry({ unofficial: driver }).driver('UNOFFICIAL'), driver)
  t.is(createRegistry({ unofficial: driver }).driver('OFFICIAL'), null)
  t.is(createRegistry({ unofficial: null }).driver('UNOFFICIAL'), null)
})

test('what a kind can do does not depend on its driver being configured', (t) => {
  const { supports } = createRegistry({ unofficial: null })
  for (const capability of ['pairing', 'calls', 'callAudio', 'groups', 'newsletters', 'numberCheck'] as const)
    t.true(supports('UNOFFICIAL', capability))
  for (const capability of ['callSdp', 'callPreAccept', 'callSettings', 'callPermissions'] as const)
    t.false(supports('UNOFFICIAL', capability))
  for (const capability of ['calls', 'callSdp', 'callPreAccept', 'callSettings', 'callPermissions'] as const)
    t.true(supports('OFFICIAL', capability))
  for (const capability of ['pairing', 'callAudio', 'groups', 'newsletters', 'numberCheck'] as const)
    t.false(supports('OFFICIAL', capability))
})
