import { readFile } from 'node:fs/promises'
import { htmlOf, type HrefOf } from './markdown.ts'

/** Guides of `docs/` that are served: those for people who use or run the service. In this order they are listed. */
export const GUIDES = [
  'start',
  'dashboard',
  'api',
  'messages',
  'templates',
  'flows',
  'leads',
  'referrals',
  'voice-bots',
  'frameworks',
  'realtime',
  'webhooks',
  'official',
  'embed',
  'branding',
  'people',
  'oauth',
  'tools',
  'sandbox',
  'operate',
  'configuration',
  'scale',
  'metrics',
  'engines',
  'glossary',
] as const

export type GuideName = (typeof GUIDES)[number]

const DOCS = new URL('../../../../docs/', import.meta.url)

/** A guide: its title, and the HTML of what stands below. */
export interface Guide {
  readonly name: GuideName
  readonly title: string
  readonly html: string
}

/** Reads a guide; throws when its file is not there. */
export async function readGuide(name: GuideName): Promise<Guide> {
  const text = await textOf(name)
  return { name, title: titleOf(text, name), html: htmlOf(text, hrefIn) }
}

/** Reads the titles of all guides. */
export async function readTitles(): Promise<readonly Pick<Guide, 'name' | 'title'>[]> {
  return Promise.all(GUIDES.map(async (name) => ({ name, title: titleOf(await textOf(name), name) })))
}

function textOf(name: GuideName): Promise<string> {
  return readFile(new URL(`${name}.md`, DOCS), 'utf8')
}

function titleOf(text: string, name: string): string {
  return /^# (?<title>.+)$/m.exec(text)?.groups?.['title']?.replaceAll('`', '') ?? name
}

/** Links to guides lead to their pages, those to other hosts go on, and those to files that are not served nowhere. */
const hrefIn: HrefOf = (href) => {
  if (/^(?:https?:|#)/.test(href)) return href
  const { name, hash = '' } = /^(?:\.\/)?(?<name>[\w-]+)\.md(?<hash>#.*)?$/.exec(href)?.groups ?? {}
  return GUIDES.some((guide) => guide === name) ? `${name}${hash}` : null
}
