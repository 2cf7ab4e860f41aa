import type { Outcome } from '../../domain/errors.ts'
import type { Fields } from '../../domain/json-fields.ts'
import type { ParameterFormat, TemplateQuality } from '../../domain/template.ts'
import type { UpstreamWrite } from './write.ts'

/** A template as upstream shows it. */
export interface UpstreamTemplate {
  /** Digits, beyond 2^53. */
  readonly externalId: string
  readonly name: string
  /** As upstream writes it: `pt_BR`. */
  readonly language: string
  /** Upstream's own word, upper case. */
  readonly status: string
  /** Upstream's own word, upper case. */
  readonly category: string
  /** The category that upstream would choose; null when it does not say. */
  readonly correctCategory: string | null
  /** Null for upstream's `NONE`. */
  readonly rejectedReason: string | null
  /** Null when upstream does not tell it. */
  readonly quality: TemplateQuality | null
  readonly parameterFormat: ParameterFormat
  readonly components: readonly Fields[]
}

/** What upstream is asked to review. */
export interface TemplateSubmission {
  readonly name: string
  readonly language: string
  /** Upstream's word. */
  readonly category: string
  readonly components: readonly Fields[]
  readonly parameterFormat: ParameterFormat
  readonly displayFormat: 'ORDER_DETAILS' | null
}

/** A sample on this node. */
export interface SampleFile {
  readonly path: string
  readonly mimeType: string
  readonly sizeBytes: number
  readonly fileName: string
}

/**
 * Templates of the number's account ([templates.scope.1]). The port never repeats a write that was sent and not
 * answered.
 */
export interface TemplatesPort {
  create(
    submission: TemplateSubmission,
  ): Promise<
    UpstreamWrite<{ readonly externalId: string; readonly status: string | null; readonly category: string | null }>
  >
  /** Replaces the wording; `category` goes along only when it is given. */
  edit(
    externalId: string,
    submission: Pick<TemplateSubmission, 'components' | 'parameterFormat'> & { readonly category: string | null },
  ): Promise<UpstreamWrite<null>>
  /**
   * Removes this language of the template alone ([templates.delete.1]). `success: false` is a refusal without a code.
   */
  remove(externalId: string, name: string): Promise<UpstreamWrite<null>>
  /**
   * Finds a template by exact name and language, whatever else upstream's filter finds; null when upstream has none.
   */
  find(name: string, language: string): Promise<Outcome<UpstreamTemplate | null>>
  /** Reads a template; null when upstream shows none by that id, which does not mean that it is gone. */
  read(externalId: string): Promise<Outcome<UpstreamTemplate | null>>
  /**
   * Reads a page of all templates, at most 100. `after` comes from the page before, null for the first; `next` is null
   * after the last. `isWhole` is false when something in the page cannot be read.
   */
  page(after: string | null): Promise<
    Outcome<{
      readonly templates: readonly UpstreamTemplate[]
      readonly next: string | null
      readonly isWhole: boolean
    }>
  >
  /**
   * Uploads a sample in the name of the app and gives its handle ([templates.files.7]). Never `unknown`: an upload
   * without a handle leaves nothing behind. Without an app id it is unsent, OFFICIAL_APP_ID_REQUIRED.
   */
  uploadSample(file: SampleFile): Promise<UpstreamWrite<string>>
}
