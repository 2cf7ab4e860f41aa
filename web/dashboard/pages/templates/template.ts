import type {
  TemplateBody,
  TemplateCategory,
  TemplateQuality,
  TemplateStatus,
} from '../../../../src/domain/template.ts'
import type { words as english } from '../../../words/dashboard/templates/en.ts'
import type { Like } from '../../../words/language.ts'
import type { Tone } from '../../ground/shown.tsx'

export type Words = Like<typeof english>

/** A template as the service answers it ([templates.object.1]); what the pages use of it. */
export interface ListedTemplate {
  readonly id: string
  readonly name: string
  readonly category: TemplateCategory
  readonly language: string
  /** Null for one that upstream does not have. */
  readonly officialStatus: TemplateStatus | null
  readonly sendable: boolean
  readonly variables: readonly string[]
  readonly body: TemplateBody
  readonly examples: Readonly<Record<string, string | number>>
  readonly statusReason: string | null
  readonly statusDescription: string | null
  readonly quality: TemplateQuality | null
  readonly correctCategory: TemplateCategory | null
  readonly unsupported: readonly string[]
  readonly updatedAt: string
}

/** How a template stands: its state upstream; USABLE when upstream does not have it. */
export type Standing = TemplateStatus | 'USABLE'

export function standingOf({ officialStatus }: Pick<ListedTemplate, 'officialStatus'>): Standing {
  return officialStatus ?? 'USABLE'
}

export const STANDING_TONES: Readonly<Record<Standing, Tone>> = {
  APPROVED: 'good',
  USABLE: 'good',
  PENDING: 'calm',
  REJECTED: 'bad',
  DISABLED: 'warn',
}

/** Whether an event tells of templates: upstream's fields `message_template_*` and `template_*` ([events.native.4]). */
export function isOfTemplates({ event }: { readonly event: string }): boolean {
  return /^(message_)?template_/.test(event)
}

/** The address of a template's page. A template is read as a number sees it, so the address names the number. */
export function templatePath({ id }: { readonly id: string }, number: string): string {
  return `/dashboard/templates/${encodeURIComponent(id)}?number=${encodeURIComponent(number)}`
}
