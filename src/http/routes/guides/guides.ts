import { z } from 'zod'
import { refuse, RefusalError } from '../../../domain/errors.ts'
import { GUIDES, readGuide, readTitles, type GuideName } from './library.ts'
import { GUIDE_POLICY, GUIDE_STYLE, guidePage } from './page.ts'
import { madeOnce, type ReadyBytes } from '../../request/ready-bytes.ts'
import { route } from '../../request/route.ts'
import type { Route } from '../../request/route.ts'

const COMMON = {
  method: 'get',
  group: 'Operations',
  access: { by: ['nobody'], of: 'service' },
  bucket: 'static',
  isHidden: true,
  answer: { status: 200, description: 'The page', type: 'text/html' },
} as const

/** The guides of the service as pages ([pages.guides.1]). */
export function guideRoutes(): Route[] {
  const style = madeOnce(() => GUIDE_STYLE)
  const list = madeOnce(async () => guidePage(await readTitles(), null, 'guides/'))
  const guides = new Map<string, () => Promise<ReadyBytes>>(GUIDES.map((name) => [name, madeOnce(() => pageOf(name))]))
  return [
    route({
      ...COMMON,
      path: '/docs/guides',
      name: 'listGuides',
      summary: 'Read which guides there are',
      handle: async () => answer(await list()),
    }),
    route({
      ...COMMON,
      path: '/docs/guides/{name}',
      name: 'getGuide',
      summary: 'Read a guide',
      params: z.object({ name: z.string() }),
      refusals: ['NOT_FOUND'],
      async handle({ params }) {
        const made = guides.get(params.name)
        if (!made) throw new RefusalError(refuse('NOT_FOUND', 'No such guide'))
        return answer(await made())
      },
    }),
    route({
      ...COMMON,
      path: '/docs/guides.css',
      name: 'getGuideStyle',
      summary: 'Read the style of the guides',
      answer: { status: 200, description: 'The style', type: 'text/css' },
      handle: async () => answer(await style(), 'text/css; charset=utf-8'),
    }),
  ]
}

async function pageOf(name: GuideName): Promise<string> {
  const [titles, guide] = await Promise.all([readTitles(), readGuide(name)])
  return guidePage(titles, guide, '')
}

/** Browsers keep the answer and ask each time whether it is still so. */
function answer(ready: ReadyBytes, type: string = 'text/html; charset=utf-8') {
  const headers = { 'cache-control': 'no-cache', 'content-security-policy': GUIDE_POLICY }
  return { status: 200, body: null, ready, type, headers }
}
