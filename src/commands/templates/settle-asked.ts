import type { TemplatesPort } from '../../ports/official/templates.ts'
import type { StoredTemplate, TemplateAsk } from '../../ports/stores/template-store.ts'
import { upstreamOfAccount } from '../official/account-port.ts'
import { settleAskedRows } from '../official/settle-asked.ts'
import { settleCreation } from './creation.ts'
import { settleEdit } from './edit.ts'
import type { TemplatePorts } from './ports.ts'
import { settleRemoval } from './remove.ts'

/** Finds out what became of requests about templates whose answers were lost. Answers whether there may be more. */
export function settleAskedTemplates(ports: TemplatePorts, isWanted: () => boolean): Promise<boolean> {
  const { templates, clock, log } = ports
  return settleAskedRows<StoredTemplate>(
    {
      clock,
      log,
      what: 'template',
      take: (limit, leaseMs) => templates.takeAsked(limit, leaseMs),
      async settle(row) {
        const upstream =
          row.owner.kind === 'ACCOUNT' ? await upstreamOfAccount(ports, row.owner.tenantId, row.owner.accountId) : null
        return row.ask && upstream ? settleAsk(ports, row, row.ask, upstream.templates) : 'open'
      },
      postpone: ({ id }, patch) => templates.change(id, () => ({ kind: 'CHANGE', patch })),
    },
    isWanted,
  )
}

function settleAsk(
  ports: TemplatePorts,
  row: StoredTemplate,
  ask: TemplateAsk,
  port: TemplatesPort,
): Promise<'settled' | 'open'> {
  switch (ask.kind) {
    case 'CREATE':
      return settleCreation(ports, row, port)
    case 'EDIT':
      return settleEdit(ports, row, ask, port)
    case 'DELETE':
      return settleRemoval(ports, row, port)
  }
}
