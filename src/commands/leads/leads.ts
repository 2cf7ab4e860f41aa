import type { NumberId } from '../../domain/ids.ts'
import type { LeadNotice } from '../../ports/stores/lead-notice-store.ts'
import type { LeadQuery } from '../../ports/stores/lead-store.ts'
import { acceptAutoSends, followAutoSends } from './auto-sends.ts'
import { eraseLead } from './erase.ts'
import { LeadFetching } from './fetch-leads.ts'
import { measureWaiting } from './measure-waiting.ts'
import { createLeadNode } from './node.ts'
import type { LeadNode } from './node.ts'
import { noticeLeads } from './notice.ts'
import { createLeadPages } from './pages.ts'
import type { LeadPorts } from './ports.ts'
import { listLeads, readLead } from './read.ts'
import { runBackfills } from './run-backfills.ts'
import { stripLeads } from './strip.ts'
import { sweepPages } from './sweep.ts'

/** The commands of leads and their Pages. */
export type LeadCommands = ReturnType<typeof createLeads>

/** Makes the commands of leads, once a node: what it remembers and counts is the whole node's. */
export function createLeads(ports: LeadPorts) {
  const node = createLeadNode(ports)
  return {
    list: (numberId: NumberId, query: LeadQuery) => listLeads(node, numberId, query),
    read: (numberId: NumberId, id: string) => readLead(node, numberId, id),
    erase: (numberId: NumberId, id: string) => eraseLead(node, numberId, id),
    ...createLeadPages(node),
    /** Take in what upstream tells of the Pages of an app. */
    verifyToken: (appId: string) => node.pageVerifyToken(appId),
    secretsOf: (appId: string) => node.appSecrets.find(appId),
    noticed: (appId: string, secret: string, notices: readonly LeadNotice[]) =>
      noticeLeads(node, appId, secret, notices),
    ...choresOf(node),
  }
}

/** Chores. Those that answer say whether there may be more; `fetched` waits for what `fetch` began. */
function choresOf(node: LeadNode) {
  const fetching = new LeadFetching(node)
  return {
    fetch: (isWanted: () => boolean) => fetching.turn(isWanted),
    fetched: () => fetching.idle(),
    acceptAutoSends: (isWanted: () => boolean) => acceptAutoSends(node, isWanted),
    followAutoSends: () => followAutoSends(node),
    runBackfills: (isWanted: () => boolean) => runBackfills(node, isWanted),
    sweep: (isWanted: () => boolean) => sweepPages(node, isWanted),
    strip: () => stripLeads(node),
    measure: () => measureWaiting(node),
  }
}
