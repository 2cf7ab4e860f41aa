import type { TenantId } from '../../domain/ids.ts'
import { templateStatusOf } from '../../domain/template-upstream.ts'
import type { StoredTemplate } from '../../ports/stores/template-store.ts'
import type { TemplateRefused } from '../../ports/template-refusals.ts'
import { upstreamOfAccount } from '../official/account-port.ts'
import type { TemplatePorts } from './ports.ts'
import { refreshFrom } from './refresh.ts'

/** The status that upstream's codes of a failed send tell of the template itself. */
const WORDS: ReadonlyMap<number, string> = new Map([
  [132015, 'PAUSED'],
  [132016, 'DISABLED'],
])

/**
 * Marks a paused or disabled template at once, before its event comes; reads one that upstream does not know anew
 * ([templates.send-failures.13]).
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
