import { listIn, own } from '../../../domain/json-fields.ts'
import type { Fields } from '../../../domain/json-fields.ts'
import { storableName } from '../../../domain/storable.ts'
import { TEMPLATE_NAME_LENGTH } from '../../../domain/template-name.ts'
import { isOneOf, TEMPLATE_QUALITIES } from '../../../domain/template.ts'
import type { TemplateQuality } from '../../../domain/template.ts'
import type { UpstreamTemplate } from '../../../ports/official/templates.ts'
import { idIn, nameIn, objectIn, textIn, wordIn } from '../values/loose.ts'

/**
 * Fields read of a template. They are named, because upstream shows few by itself; an unknown name would refuse the
 * request.
 */
export const TEMPLATE_FIELDS =
  'id,name,language,status,category,correct_category,rejected_reason,quality_score,parameter_format,components'

/** A template as upstream shows it; null without id, name or language. */
export function shownTemplate(fields: Fields): UpstreamTemplate | null {
  const externalId = idIn(fields)
  const [name, language] = [storableName(textIn(fields, 'name'), TEMPLATE_NAME_LENGTH), nameIn(fields, 'language')]
  if (externalId === null || name === null || language === null) return null
  return {
    externalId,
    name,
    language,
    status: wordIn(fields, 'status') ?? 'UNKNOWN',
    category: wordIn(fields, 'category') ?? 'UNKNOWN',
    correctCategory: wordIn(fields, 'correct_category'),
    rejectedReason: reasonIn(fields),
    quality: qualityOf(fields),
    parameterFormat: wordIn(fields, 'parameter_format') === 'NAMED' ? 'NAMED' : 'POSITIONAL',
    components: listIn(fields, 'components'),
  }
}

/** The reason of a rejection; NONE is upstream's word for no reason. */
function reasonIn(fields: Fields): string | null {
  const reason = wordIn(fields, 'rejected_reason')
  return reason === 'NONE' ? null : reason
}

/** The quality, from `{score, date}` or the score alone. */
function qualityOf(fields: Fields): TemplateQuality | null {
  const said =
    typeof own(fields, 'quality_score') === 'string'
      ? wordIn(fields, 'quality_score')
      : wordIn(objectIn(fields, 'quality_score') ?? {}, 'score')
  if (said === null) return null
  return isOneOf(TEMPLATE_QUALITIES, said) ? said : 'UNKNOWN'
}
