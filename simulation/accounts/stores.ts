import { newId, type NumberId, type TenantId } from '../../src/domain/ids.ts'
import type { NumberRef } from '../../src/domain/number.ts'
import { MemoryFlows } from '../../test/helpers/memory/flows.ts'
import { MemoryNumbers } from '../../test/helpers/memory/numbers.ts'
import { MemoryOfficial } from '../../test/helpers/memory/official.ts'
import { MemoryRows } from '../../test/helpers/memory/rows.ts'
import { MemoryTemplates } from '../../test/helpers/memory/templates.ts'
import { BEGINNING_MS, type Machine } from '../machine.ts'

export type AccountStores = ReturnType<typeof openAccount>

export const ACCOUNT_ID = '100200300400'

/** The rows of a tenant with one OFFICIAL number. They are apart from those of the numbers that actors own. */
export function openAccount(clock: Machine) {
  const rows = new MemoryRows()
  const numbers = new MemoryNumbers(rows, clock)
  const official = new MemoryOfficial(rows, numbers, clock)
  const templates = new MemoryTemplates(rows, clock)
  const flows = new MemoryFlows(rows, clock)
  const number = addNumber(rows)
  return {
    shared: { numbers, official, templates, flows },
    number,
    templates: () => templates.all(),
    flows: () => flows.all(),
  }
}

function addNumber(rows: MemoryRows): NumberRef & { readonly id: NumberId; readonly tenantId: TenantId } {
  const tenantId = newId('ten')
  const credentials = { phoneId: '1', accountId: ACCOUNT_ID, accessToken: 'EAA', appId: null, appSecret: null }
  const id = rows.addNumber({
    tenantId,
    number: '551100009999',
    provider: 'OFFICIAL',
    createdAt: new Date(BEGINNING_MS),
    updatedAt: new Date(BEGINNING_MS),
    official: {
      phoneId: '1',
      accountId: ACCOUNT_ID,
      appId: null,
      qualityRating: null,
      messagingLimitTier: null,
      officialStatus: null,
      perSecond: null,
      callingStatus: 'NOT_ENABLED',
      checkedAt: new Date(BEGINNING_MS),
      isTokenValid: true,
    },
  })
  rows.official.set(id, { credentials, verifyToken: 'verify' })
  return { id, tenantId, provider: 'OFFICIAL', number: '551100009999' }
}
