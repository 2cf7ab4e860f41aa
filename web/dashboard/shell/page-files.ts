import type { ComponentType } from 'preact'
import type { Language } from '../../words/language.ts'

/** What a page gets; `words` are those of its own files, in the language of the person. */
export interface PageProps<Words> {
  readonly words: Words
  /** The id in the address of a detail page; empty on others. */
  readonly id: string
  readonly query: URLSearchParams
}

interface PageFile {
  readonly Page: ComponentType<PageProps<unknown>>
}

interface WordsFile {
  readonly words: unknown
}

/** A page that is ready to be drawn. */
export interface LoadedPage extends PageFile, WordsFile {
  readonly name: string
}

const PAGES = import.meta.glob<PageFile>('../pages/*/page.tsx')
const WORDS = import.meta.glob<WordsFile>('../../words/dashboard/*/*.ts')

/** Whether the build has a page of this name. */
export function hasPage(name: string): boolean {
  return pageFile(name) in PAGES
}

/** Loads a page with its words. Rejects when its files cannot be loaded. */
export async function loadPage(name: string, language: Language): Promise<LoadedPage> {
  const [loadFile, loadWords] = [PAGES[pageFile(name)], WORDS[`../../words/dashboard/${name}/${language}.ts`]]
  if (!loadFile || !loadWords) throw new Error(`the dashboard has no page ${name} in ${language}`)
  const [{ Page }, { words }] = await Promise.all([loadFile(), loadWords()])
  return { name, Page, words }
}

function pageFile(name: string): string {
  return `../pages/${name}/page.tsx`
}
