import type { Fields } from './json-fields.ts'
import { phoneDigits } from './phone-reading.ts'
import { toE164 } from './phone.ts'
import { keyOf, sampleOf, upstreamNature } from './template-keys.ts'
import { replacePlaceholders, scanText } from './template-placeholders.ts'
import type { TextPlace } from './template-places.ts'
import type {
  ParameterKeys,
  TemplateBody,
  TemplateButton,
  TemplateCard,
  TemplateCategory,
  TemplateExamples,
  TemplateParameters,
} from './template.ts'

/** What a submission needs beside the template: samples, and upstream's names for files and Flows. */
export interface SubmitFacts {
  readonly category: TemplateCategory
  readonly examples: TemplateExamples
  /** The handle of the uploaded file; null without a media header. */
  readonly headerHandle: string | null
  /** One handle for each card. */
  readonly cardHandles: readonly string[]
  /** Gives upstream's id of a Flow of the service. */
  officialFlowIdOf(flowId: string): string | null
}

/** What upstream is asked to review. */
export interface Submission {
  readonly components: readonly Fields[]
  /** The format of the template as a whole; null when it has none. */
  readonly displayFormat: 'ORDER_DETAILS' | null
  readonly parameters: TemplateParameters
}

/** The sample of a code where nobody gave one ([templates.special-buttons.3]). */
const SAMPLE_CODE = 'SAMPLE10'

interface NumberedText {
  readonly text: string
  readonly keys: ParameterKeys
  readonly samples: readonly string[]
}

function samplesOf(place: TextPlace, facts: SubmitFacts): { key: string; sample: string }[] {
  return scanText(place.text).placeholders.map(({ name }) => {
    const key = keyOf(name, place, upstreamNature(facts))
    return { key, sample: sampleOf(facts.examples, { key, name, place }) ?? key }
  })
}

/** Writes a text as upstream takes it: each occurrence of a variable gets the next number ([templates.examples.3]). */
function numbered(kind: TextPlace['kind'], card: number | null, text: string, facts: SubmitFacts): NumberedText {
  const variables = samplesOf({ kind, card, button: null, field: '', text }, facts)
  return {
    text: replacePlaceholders(text, (_name, index) => `{{${index + 1}}}`),
    keys: variables.map(({ key }) => key),
    samples: variables.map(({ sample }) => sample),
  }
}

function headerComponent(
  { header }: TemplateBody,
  facts: SubmitFacts,
): { component: Fields | null; keys: ParameterKeys } {
  if (header.type === 'NONE') return { component: null, keys: [] }
  if (header.type !== 'TEXT')
    return {
      component: { type: 'HEADER', format: header.type, example: { header_handle: [facts.headerHandle] } },
      keys: [],
    }
  const { text, keys, samples } = numbered('HEADER', null, header.text ?? '', facts)
  return {
    component: {
      type: 'HEADER',
      format: 'TEXT',
      text,
      ...(samples.length > 0 ? { example: { header_text: samples } } : {}),
    },
    keys,
  }
}

function bodyComponent(
  card: number | null,
  body: string,
  facts: SubmitFacts,
): { component: Fields; keys: ParameterKeys } {
  const { text, keys, samples } = numbered('BODY', card, body, facts)
  return {
    component: { type: 'BODY', text, ...(samples.length > 0 ? { example: { body_text: [samples] } } : {}) },
    keys,
  }
}

function urlButton({ url = '', ...button }: TemplateButton, place: TextPlace, facts: SubmitFacts): Fields {
  const samples = samplesOf(place, facts)
  const example =
    samples.length > 0 ? { example: [replacePlaceholders(url, (_name, index) => samples[index]?.sample ?? '')] } : {}
  return { type: 'URL', text: button.text, url: replacePlaceholders(url, () => '{{1}}'), ...example }
}

/** Gives the sample of a code: the fixed code, else the sample of its variable. */
function codeSample(place: TextPlace, facts: SubmitFacts): string {
  const [variable] = scanText(place.text).placeholders
  if (variable === undefined) return place.text === '' ? SAMPLE_CODE : place.text
  return (
    sampleOf(facts.examples, { key: keyOf(variable.name, place, upstreamNature(facts)), name: variable.name, place })
    ?? SAMPLE_CODE
  )
}

function buttonOf(button: TemplateButton, number: number, card: number | null, facts: SubmitFacts): Fields {
  const { type, text } = button
  const label = text === undefined ? {} : { text }
  const place = { card, button: number, field: '' }
  switch (type) {
    case 'URL':
      return urlButton(button, { ...place, kind: 'URL', text: button.url ?? '' }, facts)
    case 'PHONE_NUMBER':
      return { type, ...label, phone_number: toE164(phoneDigits(button.phone_number ?? '') ?? '') }
    case 'COPY_CODE':
      return { type, example: codeSample({ ...place, kind: 'CODE', text: button.example?.[0] ?? '' }, facts) }
    case 'PAYMENT_REQUEST':
      return {
        type,
        ...label,
        example: [codeSample({ ...place, kind: 'PAYMENT', text: button.example?.[0] ?? '' }, facts)],
      }
    case 'FLOW':
      return {
        type,
        ...label,
        flow_id: facts.officialFlowIdOf(button.flowId ?? ''),
        flow_action: button.action ?? 'navigate',
        ...(button.screen === undefined ? {} : { navigate_screen: button.screen }),
      }
    default:
      return { type, ...label }
  }
}

function buttonsComponent(buttons: readonly TemplateButton[], card: number | null, facts: SubmitFacts): Fields[] {
  return buttons.length === 0
    ? []
    : [{ type: 'BUTTONS', buttons: buttons.map((button, at) => buttonOf(button, at + 1, card, facts)) }]
}

function cardComponents(
  card: TemplateCard,
  index: number,
  facts: SubmitFacts,
): { components: Fields[]; keys: ParameterKeys } {
  const body = card.body && bodyComponent(index + 1, card.body.text, facts)
  return {
    keys: body?.keys ?? [],
    components: [
      { type: 'HEADER', format: 'IMAGE', example: { header_handle: [facts.cardHandles[index] ?? null] } },
      ...(body ? [body.component] : []),
      ...buttonsComponent(card.buttons, index + 1, facts),
    ],
  }
}

/** Submits a code without its texts, since upstream writes those itself ([templates.special-buttons.1]). */
function otpSubmission({ body, footer }: TemplateBody, facts: SubmitFacts): Submission {
  const minutes = footer?.codeExpirationMinutes
  return {
    displayFormat: null,
    components: [
      { type: 'BODY', add_security_recommendation: body?.addSecurityRecommendation ?? true },
      ...(minutes === undefined ? [] : [{ type: 'FOOTER', code_expiration_minutes: minutes }]),
      { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE' }] },
    ],
    // However often the service's text has the code, upstream's text has it once.
    parameters: {
      format: 'POSITIONAL',
      header: [],
      body: numbered('BODY', null, body?.text ?? '', facts).keys.slice(0, 1),
      cards: [],
    },
  }
}

/** Converts a template to upstream's form. It must have passed the rules. */
export function submissionOf(template: TemplateBody, facts: SubmitFacts): Submission {
  if (facts.category === 'OTP') return otpSubmission(template, facts)
  const header = headerComponent(template, facts)
  const body = bodyComponent(null, template.body?.text ?? '', facts)
  const cards = (template.carousel?.cards ?? []).map((card, index) => cardComponents(card, index, facts))
  const footer = template.footer?.text
  return {
    displayFormat: template.buttons.some(({ type }) => type === 'ORDER_DETAILS') ? 'ORDER_DETAILS' : null,
    components: [
      ...(header.component ? [header.component] : []),
      body.component,
      ...(footer === undefined ? [] : [{ type: 'FOOTER', text: footer }]),
      ...buttonsComponent(template.buttons, null, facts),
      ...(template.carousel ? [{ type: 'CAROUSEL', cards: cards.map(({ components }) => ({ components })) }] : []),
    ],
    parameters: { format: 'POSITIONAL', header: header.keys, body: body.keys, cards: cards.map(({ keys }) => keys) },
  }
}
