import type { TenantId } from '../../domain/ids.ts'
import { templateStatusOf } from '../../domain/template-upstream.ts'
import type { StoredTemplate } from '../../ports/stores/template-store.ts'
import type { TemplateRefused } from '../../ports/template-refusals.ts'
import { upstreamOfAccount } from '../official/account-port.ts'
import type { TemplatePorts } from './ports.ts'
import { refreshFrom } from './refresh.ts'

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
  ports: TemplatePorts,
  { tenantId, numberId, messageId, code }: TemplateRefused,
): Promise<void> {
  const id = await ports.messages.templateOf(numberId, messageId)
  if (id === null) return
  const word = WORDS.get(code)
  const marked = await ports.templates.change(id, (row) =>
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
  if (marked && word === undefined) await readAnew(ports, tenantId, marked.template)
}

async function readAnew(ports: TemplatePorts, tenantId: TenantId, template: StoredTemplate): Promise<void> {
  const upstream =
    template.owner.kind === 'ACCOUNT' ? await upstreamOfAccount(ports, tenantId, template.owner.accountId) : null
  if (upstream) await refreshFrom(ports, template, upstream.templates)
}
