import type { LeadApp } from '../helpers/lead-app.ts'
import type { ScriptedPage } from '../helpers/scripted-pages.ts'

/** The path of Pages. */
export const PAGES = '/v1/lead-pages'

/** The request body that links a Page to the application's number. */
export function linking({ own }: LeadApp, page: ScriptedPage, fields: Record<string, unknown> = {}) {
  return {
    pageId: page.pageId,
    pageAccessToken: page.tokens[0],
    channelNumberId: own.number.id,
    appId: '77001',
    appSecret: page.appSecret,
    ...fields,
  }
}
