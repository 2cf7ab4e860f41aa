import { refuse } from '../../domain/errors.ts'
import type { Refusal } from '../../domain/errors.ts'
import type { TemplateId } from '../../domain/ids.ts'
import type { StoredTemplate, TemplateAsk, TemplateFate } from '../../ports/stores/template-store.ts'
import { askingOf } from '../official/asking.ts'
import { NO_SUCH_TEMPLATE } from './find.ts'
import type { TemplatePorts } from './ports.ts'

/** Refuses a template about which another request is under way or in doubt; null when there is none. */
export function askedRefusal({ ask, officialStatus, upstreamStatus }: StoredTemplate): Refusal | null {
  if (ask === null) return null
  return refuse(
    'TEMPLATE_NOT_EDITABLE',
    'The official platform has not answered an earlier request for this template. Try again shortly.',
    { officialStatus, upstreamStatus },
  )
}

/** The steps of asking upstream about a template. */
export const { beginAsk, holdOn, settleWith, letBe, inDoubt } = askingOf<
  TemplatePorts,
  StoredTemplate,
  TemplateId,
  TemplateAsk,
  TemplateFate
>(
  ({ templates, clock }) => ({
    clock,
    async change(id, decide) {
      const changed = await templates.change(id, decide)
      return changed && { row: changed.template, isRemoved: changed.isRemoved }
    },
  }),
  NO_SUCH_TEMPLATE,
)
