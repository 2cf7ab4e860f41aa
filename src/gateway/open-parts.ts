import type { RunningDirectory } from '../../actors/hosting/directory.ts'
import type { Core } from './core.ts'
import { openAds } from './open-ads.ts'
import type { Base } from './open-base.ts'
import { openFlowEndpoints } from './open-flow-endpoints.ts'
import { openFlows } from './open-flows.ts'
import { openInbox } from './open-inbox.ts'
import { openLeads } from './open-leads.ts'
import { openLogos } from './open-logos.ts'
import { openMessageFiles } from './open-message-files.ts'
import { openMessages } from './open-messages.ts'
import { openDialCheck, openNumbers, openPaces } from './open-numbers.ts'
import { openOAuth } from './open-oauth.ts'
import { openOfficial } from './open-official.ts'
import { openPages } from './open-pages.ts'
import { openPeople } from './open-people.ts'
import { openProviders } from './open-providers.ts'
import { openTemplates } from './open-templates.ts'

/**
 * Opens the parts, each for its subject. `channels` is what the directory needs, `facing` what the REST layer needs.
 * The directory itself is opened later and asked for by a function.
 */
export async function openParts(
  core: Core,
  { storage, upstreams, engines, nodes, cluster, deliveries, listener: { baseUrl } }: Base,
  directory: () => RunningDirectory,
) {
  const { stores } = storage
  const official = openOfficial(core, {
    ...upstreams,
    ...cluster,
    stores,
    baseUrl,
    directory,
    templateTold: (told) => templates.templateCommands.told(told),
    flowTold: (told) => flows.flowCommands.told(told),
  })
  const providers = openProviders(core, { ...engines, official: official.driver, upstreams })
  const files = openMessageFiles(core, { ...storage, ...upstreams, ...engines, baseUrl })
  const logos = await openLogos(core, files)
  const templates = openTemplates(core, { ...official, ...files, stores })
  const messages = openMessages(core, { ...storage, ...files, ...templates, directory })
  const flows = openFlows(core, { ...official, stores })
  const endpoints = openFlowEndpoints(core, { ...official, ...deliveries, stores, baseUrl })
  const people = openPeople(core, { ...cluster, stores, baseUrl })
  const pages = await openPages(core, { ...upstreams, ...logos, stores, baseUrl })
  const oauth = openOAuth(core, stores, baseUrl)
  const inbox = openInbox(core, { ...storage, ...cluster, ...files, ...messages, ...official })
  const leads = openLeads(core, { ...storage, ...nodes, ...cluster, ...messages, ...official, baseUrl })
  const ads = openAds(core, { ...storage, ...official })
  const rules = { ...openDialCheck(core), ...openPaces(core) }
  const ofNumbers = { ...official, ...templates, ...flows, ...rules, stores, baseUrl, directory }
  const numbers = openNumbers(core, { ...ofNumbers, revokeCallers: people.callers.revoke })
  const channels = { ...files, ...messages, ...logos, ...official, ...templates }
  const asked = { ...people, ...numbers, ...leads, ...ads }
  const facing = { ...channels, ...asked, ...flows, ...endpoints, ...pages, ...inbox, ...oauth }
  return { official, providers, inbox, channels, facing }
}
