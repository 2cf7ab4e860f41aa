import type { Answer } from '../../../ui/session/answers.ts'
import type { Api } from '../../api/client.ts'
import type { ListedTemplate } from '../templates/template.ts'

/** Rows of a page, the most that the service gives ([leads.paging.2]). */
const PAGE = 100
/** Our choice: templates that are offered at most; accounts upstream have some thousands at the very most. */
const MOST = 1_000

/** Reads the templates of a number, the newest first. */
export async function templatesOf(
  api: Api,
  number: string,
  signal: AbortSignal,
): Promise<Answer<readonly ListedTemplate[]>> {
  const all: ListedTemplate[] = []
  for (let page = 1; all.length < MOST; page += 1) {
    const { body, fault } = await api.get<{ readonly templates: readonly ListedTemplate[] }>('/api/v1/templates', {
      number,
      query: { page, pageSize: PAGE },
      signal,
    })
    if (fault) return { fault }
    all.push(...body.templates)
    if (body.templates.length < PAGE) break
  }
  return { body: all }
}
