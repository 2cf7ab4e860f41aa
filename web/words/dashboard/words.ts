import type { Language, Like } from '../language.ts'
import type { words } from './en.ts'

/** The words of the dashboard's frame and of what its pages are made of. */
export type DashboardWords = Like<typeof words>

/** The words by language: each is a file of its own, loaded on demand. */
const DASHBOARD_WORDS: Readonly<Record<Language, () => Promise<{ readonly words: DashboardWords }>>> = {
  en: () => import('./en.ts'),
  pt: () => import('./pt.ts'),
  es: () => import('./es.ts'),
}

/** Loads the words of a language. */
export async function loadDashboardWords(language: Language): Promise<DashboardWords> {
  return (await DASHBOARD_WORDS[language]()).words
}
