import test from 'ava'
import type { ProviderDriver } from '../../src/ports/provider.ts'
import { createRegistry } from '../../src/providers/registry.ts'

test('each kind has its driver, or none', (t) => {
  const driver: ProviderDriver = { kind: 'UNOFFICIAL', openSession: () => t.fail() as never }
  t.is(createRegistry([driver]).driver('UNOFFICIAL'), driver)
  t.is(createRegistry([driver]).driver('OFFICIAL'), null)
  t.is(createRegistry([]).driver('UNOFFICIAL'), null)
})
