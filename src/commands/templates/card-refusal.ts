import { refuse } from '../../domain/errors.ts'
import type { Refusal } from '../../domain/errors.ts'
import type { SampleProblem } from '../../ports/template-files.ts'

const PROBLEMS = { UNREACHABLE: 'UNREACHABLE', UNSUPPORTED: 'NOT_AN_IMAGE', TOO_LARGE: 'TOO_LARGE' } as const

/**
 * The refusal for the picture of a card, counted from 1 ([templates.files.5]). An address that turns out to be private
 * is refused as one that looks so ([templates.checks.24]).
 */
export function cardRefusal({ problem, message, measured, max }: SampleProblem, card: number, field: string): Refusal {
  const said = `The media of card ${card}: ${message}`
  if (problem === 'FORBIDDEN') {
    const fault = { field, card, problem: 'FORBIDDEN_ADDRESS', upstreamCode: null }
    return refuse('TEMPLATE_CARD_MEDIA_URL_INVALID', said, {
      ...fault,
      faults: [{ code: 'TEMPLATE_CARD_MEDIA_URL_INVALID', message: said, ...fault }],
    })
  }
  return refuse('TEMPLATE_CARD_MEDIA_REFUSED', said, {
    card,
    problem: PROBLEMS[problem],
    ...(problem === 'TOO_LARGE' ? { measured, max } : {}),
  })
}
