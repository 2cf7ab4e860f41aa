/** Languages of the pages ([branding.query.7]). */
export const LANGUAGES = ['en', 'pt', 'es'] as const
export type Language = (typeof LANGUAGES)[number]

/** The type that the words of a language must have, from those of English: the same keys with the same parameters. */
export type Like<W> = {
  readonly [K in keyof W]: W[K] extends string
    ? string
    : W[K] extends (...filled: infer F) => string
      ? (...filled: F) => string
      : Like<W[K]>
}

/** The language of a tag (`pt-BR` is `pt`); null when the pages do not speak it. */
export function languageOf(tag: string | null): Language | null {
  const wanted = tag?.toLowerCase().split('-')[0]
  return LANGUAGES.find((language) => language === wanted) ?? null
}
