import type { PagePort } from '../../../src/ports/official/pages.ts'
import { FIRST_PAGE, linked as link, newNotice, NOON, type Linked } from '../../contracts/lead-world.ts'
import type { MakeWorld } from '../../contracts/world.ts'
import { LeadWork, read, upstreamForm, upstreamLead } from './lead-rig.ts'

/** A Page with `count` notices, while no other notice waits: a test takes all that is due, of any Page. */
export async function noticed(
  makeWorld: MakeWorld,
  count: number,
  on?: { readonly work: LeadWork; readonly linked: Linked },
) {
  const work = on?.work ?? new LeadWork(makeWorld(NOON))
  const linked = await link(work.world, {}, on?.linked)
  const notices = Array.from({ length: count }, () => newNotice(linked.page))
  await work.world.stores.leadNotices.accept(linked.page.appId, linked.page.appSecret, notices)
  const shown = async () =>
    (await work.world.stores.leads.list(linked.number.id, { ...FIRST_PAGE, pageId: linked.page.pageId })).items
  const scope = { tenantId: linked.tenantId, numberId: null }
  const page = async () => await work.world.stores.leadPages.find(scope, linked.page.pageId)
  return {
    work,
    linked,
    ids: notices.map(({ leadgenId }) => leadgenId),
    shown,
    page,
    scope,
    asked: () => work.pages.asked(linked.page.pageId),
  }
}

/** Removes the Page and with it everything that the test left waiting. */
export async function forget({
  work,
  linked,
  scope,
}: Pick<Awaited<ReturnType<typeof noticed>>, 'work' | 'linked' | 'scope'>): Promise<void> {
  await work.world.stores.leadPages.remove(scope, linked.page.pageId)
}

/** Pages of an upstream that shows every lead and its form. */
export const showsLeads: Partial<PagePort> = {
  lead: async (leadgenId) => read(upstreamLead(leadgenId)),
  form: async () => read(upstreamForm()),
}
