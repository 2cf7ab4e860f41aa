/** Languages of the pages ([branding.query.7]). */
export const LANGUAGES = ['en', 'pt', 'es'] as const
export type Language = (typeof LANGUAGES)[number]

/** What words of one language have to be, by those of another: the same keys, and the same to fill in. */
export type Like<W> = {
  readonly [K in keyof W]: W[K] extends string
    ? string
    : W[K] extends (...filled: infer F) => string
      ? (...filled: F) => string
      : Like<W[K]>
}

/** The language that a tag asks for (`pt-BR` is `pt`); null where pages do not speak it. */
export function languageOf(tag: string | null): Language | null {
  const wanted = tag?.toLowerCase().split('-')[0]
  return LANGUAGES.find((language) => language === wanted) ?? null
}
