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
  /** What upstream would call it, where it says so. */
  readonly correctCategory: string | null
  /** `NONE` is null. */
  readonly rejectedReason: string | null
  /** Null where upstream does not say. */
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

/** Templates of the number's account (contract 10). Nothing is repeated in here that was sent and not answered. */
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
  /** This language of it alone. `success: false` is a refusal without a code. */
  remove(externalId: string, name: string): Promise<UpstreamWrite<null>>
  /** By exact name and language, whatever else upstream's filter finds; null: upstream has none. */
  find(name: string, language: string): Promise<Outcome<UpstreamTemplate | null>>
  /** Null: upstream shows none by that id, which does not say that it is gone. */
  read(externalId: string): Promise<Outcome<UpstreamTemplate | null>>
  /**
   * A page of all, at most 100; `after` of the page before, null for the first. `next` null: it was the last. `isWhole`
   * false: something in it cannot be read.
   */
  page(after: string | null): Promise<
    Outcome<{
      readonly templates: readonly UpstreamTemplate[]
      readonly next: string | null
      readonly isWhole: boolean
    }>
  >
  /**
   * Uploads a sample in the name of the app and answers its handle. Never `unknown`: an upload without a handle leaves
   * nothing behind. Without an app id it is unsent, OFFICIAL_APP_ID_REQUIRED.
   */
  uploadSample(file: SampleFile): Promise<UpstreamWrite<string>>
}
