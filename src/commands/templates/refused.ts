import type { TenantId } from '../../domain/ids.ts'
import { templateStatusOf } from '../../domain/template-upstream.ts'
import type { MessageStore } from '../../ports/stores/message-store.ts'
import type { StoredTemplate, TemplateStore } from '../../ports/stores/template-store.ts'
import type { TemplateRefused } from '../../ports/template-refusals.ts'
import { upstreamOfAccount } from '../official/account-port.ts'
import type { AccountPortDeps } from '../official/account-port.ts'
import type { AskingDeps } from './asking.ts'
import { refreshFrom } from './refresh.ts'

export interface TemplateRefusedDeps extends AccountPortDeps, AskingDeps {
  readonly templates: Pick<TemplateStore, 'change'>
  readonly messages: Pick<MessageStore, 'templateOf'>
}

/** What upstream's codes of a send say of the template itself. */
const WORDS: ReadonlyMap<number, string> = new Map([
  [132015, 'PAUSED'],
  [132016, 'DISABLED'],
])

/**
 * A paused or disabled template is marked at once, before its event comes; one that upstream does not know is read anew
 * (contract 10, Send).
 */
export async function templateRefused(
  deps: TemplateRefusedDeps,
  { tenantId, numberId, messageId, code }: TemplateRefused,
): Promise<void> {
  const id = await deps.messages.templateOf(numberId, messageId)
  if (id === null) return
  const word = WORDS.get(code)
  const marked = await deps.templates.change(id, (row) =>
    word === undefined || row.upstreamStatus === word
      ? { kind: 'KEEP' }
      : {
          kind: 'CHANGE',
          patch: {
            officialStatus: templateStatusOf(word),
            upstreamStatus: word,
            statusReason: null,
            statusDescription: null,
          },
        },
  )
  if (marked && word === undefined) await readAnew(deps, tenantId, marked.template)
}

async function readAnew(deps: TemplateRefusedDeps, tenantId: TenantId, template: StoredTemplate): Promise<void> {
  const upstream =
    template.owner.kind === 'ACCOUNT' ? await upstreamOfAccount(deps, tenantId, template.owner.accountId) : null
  if (upstream) await refreshFrom(deps, template, upstream.templates)
}
