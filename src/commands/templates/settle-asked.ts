import type { Log } from '../../ports/log.ts'
import type { TemplatesPort } from '../../ports/official/templates.ts'
import type { StoredTemplate, TemplateAsk, TemplateStore } from '../../ports/stores/template-store.ts'
import { portOfAccount } from './account-port.ts'
import type { AccountPortDeps } from './account-port.ts'
import { ASK_MS } from './asking.ts'
import type { AskingDeps } from './asking.ts'
import { settleCreation } from './creation.ts'
import { settleEdit } from './edit.ts'
import { settleRemoval } from './remove.ts'

export interface SettleAskedDeps extends AccountPortDeps, AskingDeps {
  readonly templates: Pick<TemplateStore, 'takeAsked' | 'change'>
  readonly log: Log
}

/** Our choice: rows of a turn. */
const TAKEN = 20
/** Our choice: waits before upstream is asked again, the last one from then on. */
const WAITS_MS = [5_000, 15_000, 30_000, 60_000, 300_000, 900_000]

/** Finds out what became of requests whose answers were lost, or whose process is gone (contract 10, Create). Answers whether there may be more. */
export async function settleAskedTemplates(deps: SettleAskedDeps, isWanted: () => boolean): Promise<boolean> {
  const rows = await deps.templates.takeAsked(TAKEN, ASK_MS)
  for (const row of rows) {
    if (!isWanted()) return false
    // One that cannot be settled keeps nobody else waiting: its lease brings it back.
    await settleOne(deps, row).catch((error: unknown) => deps.log.error({ templateId: row.id, error: String(error) }, 'a request for a template was not settled'))
  }
  return rows.length === TAKEN
}

async function settleOne(deps: SettleAskedDeps, row: StoredTemplate): Promise<void> {
  const port = row.owner.kind === 'ACCOUNT' ? await portOfAccount(deps, row.owner.tenantId, row.owner.accountId) : null
  const settled = row.ask && port ? await settleAsk(deps, row, row.ask, port) : 'open'
  if (settled === 'settled') return
  const waitMs = WAITS_MS[Math.min(row.askTries, WAITS_MS.length - 1)] ?? 0
  await deps.templates.change(row.id, () => ({ kind: 'CHANGE', patch: { askedUntil: new Date(deps.clock.now() + waitMs), askTries: row.askTries + 1 } }))
  deps.log.warn({ templateId: row.id, ask: row.ask?.kind, tries: row.askTries + 1 }, 'what became of a request for a template is not known yet')
}

function settleAsk(deps: SettleAskedDeps, row: StoredTemplate, ask: TemplateAsk, port: TemplatesPort): Promise<'settled' | 'open'> {
  switch (ask.kind) {
    case 'CREATE': return settleCreation(deps, row, port)
    case 'EDIT': return settleEdit(deps, row, ask, port)
    case 'DELETE': return settleRemoval(deps, row, port)
  }
}
