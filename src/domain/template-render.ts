import { isFields, own } from './json-fields.ts'
import { buttonKeyOf, isFixedCode, isSample, keyOf, occurrencesOf, sampleOf } from './template-keys.ts'
import type { Occurrence, TemplateNature } from './template-keys.ts'
import { replacePlaceholders } from './template-placeholders.ts'
import { rewriteTexts } from './template-places.ts'
import type { TextPlace } from './template-places.ts'
import { isReviewed } from './template.ts'
import type { TemplateBody, TemplateExamples } from './template.ts'

/** Gives the value for a place that is filled in; null leaves the place as it stands. */
export type ValueOf = (occurrence: Occurrence) => string | null

/** Gives the code in the body of an OTP template, which its button carries as well ([templates.send.13]). */
function bodyCode(body: TemplateBody, nature: TemplateNature, valueOf: ValueOf): string | null {
  const code = occurrencesOf(body, nature).find(({ place }) => place.kind === 'BODY' && place.card === null)
  return code === undefined ? null : valueOf(code)
}

function fill(place: TextPlace, body: TemplateBody, nature: TemplateNature, valueOf: ValueOf): string {
  if (place.kind === 'FOOTER' || place.kind === 'LABEL') return place.text
  const isOfUpstream = isReviewed(nature)
  if (place.kind === 'CODE' && isOfUpstream && nature.category === 'OTP')
    return bodyCode(body, nature, valueOf) ?? place.text
  if (isFixedCode(place))
    return isOfUpstream ? (valueOf({ key: buttonKeyOf(place), name: null, place }) ?? place.text) : place.text
  return replacePlaceholders(place.text, (name) => valueOf({ key: keyOf(name, place, nature), name, place }))
}

/**
 * Puts values into a template, literally and once ([templates.send.4]): a value that looks like a variable stays a
 * text.
 */
export function renderTemplate(body: TemplateBody, nature: TemplateNature, valueOf: ValueOf): TemplateBody {
  return rewriteTexts(body, (place) => fill(place, body, nature, valueOf))
}

/** Fills a template as it will look: with the variables given, and with samples for the others. */
export function previewTemplate(
  body: TemplateBody,
  nature: TemplateNature,
  examples: TemplateExamples,
  variables: unknown,
): TemplateBody {
  return renderTemplate(body, nature, (occurrence) => {
    const given = isFields(variables) ? own(variables, occurrence.key) : undefined
    return isSample(given) ? String(given) : sampleOf(examples, occurrence)
  })
}
