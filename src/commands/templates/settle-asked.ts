import type { Log } from '../../ports/log.ts'
import type { TemplatesPort } from '../../ports/official/templates.ts'
import type { StoredTemplate, TemplateAsk, TemplateStore } from '../../ports/stores/template-store.ts'
import { upstreamOfAccount } from '../official/account-port.ts'
import type { AccountPortDeps } from '../official/account-port.ts'
import { settleAskedRows } from '../official/settle-asked.ts'
import type { AskingDeps } from './asking.ts'
import { settleCreation } from './creation.ts'
import { settleEdit } from './edit.ts'
import { settleRemoval } from './remove.ts'

export interface SettleAskedDeps extends AccountPortDeps, AskingDeps {
  readonly templates: Pick<TemplateStore, 'takeAsked' | 'change'>
  readonly log: Log
}

/** Finds out what became of requests about templates whose answers were lost. Answers whether there may be more. */
export function settleAskedTemplates(deps: SettleAskedDeps, isWanted: () => boolean): Promise<boolean> {
  const { templates, clock, log } = deps
  return settleAskedRows<StoredTemplate>(
    {
      clock,
      log,
      what: 'template',
      take: (limit, leaseMs) => templates.takeAsked(limit, leaseMs),
      async settle(row) {
        const upstream =
          row.owner.kind === 'ACCOUNT' ? await upstreamOfAccount(deps, row.owner.tenantId, row.owner.accountId) : null
        return row.ask && upstream ? settleAsk(deps, row, row.ask, upstream.templates) : 'open'
      },
      postpone: ({ id }, patch) => templates.change(id, () => ({ kind: 'CHANGE', patch })),
    },
    isWanted,
  )
}

function settleAsk(
  deps: SettleAskedDeps,
  row: StoredTemplate,
  ask: TemplateAsk,
  port: TemplatesPort,
): Promise<'settled' | 'open'> {
  switch (ask.kind) {
    case 'CREATE':
      return settleCreation(deps, row, port)
    case 'EDIT':
      return settleEdit(deps, row, ask, port)
    case 'DELETE':
      return settleRemoval(deps, row, port)
  }
}
