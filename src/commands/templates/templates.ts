import type { NumberRef } from '../../domain/number.ts'
import type { StoredTemplate, TemplateQuery } from '../../ports/stores/template-store.ts'
import type { TemplateRefused } from '../../ports/template-refusals.ts'
import { createTemplate } from './create.ts'
import type { GivenTemplate } from './draft.ts'
import { findTemplate } from './find.ts'
import { listDueTemplates } from './list-due.ts'
import { createListings } from './listings.ts'
import type { TemplatePorts } from './ports.ts'
import { previewOf } from './preview.ts'
import { refreshTemplate } from './refresh.ts'
import { templateRefused } from './refused.ts'
import { removeTemplate } from './remove.ts'
import { createSampleFiles } from './sample-files.ts'
import { settleAskedTemplates } from './settle-asked.ts'
import { syncTemplates } from './sync.ts'
import { templateTold } from './told.ts'
import type { TemplateEvent } from './told.ts'
import { updateTemplate } from './update.ts'
import type { UpdateInput } from './update.ts'

/** The commands of templates. */
export type TemplateCommands = ReturnType<typeof createTemplates>

/** Makes the commands of templates, once a node: its callers share the listings and the fetches of samples. */
export function createTemplates(ports: TemplatePorts) {
  const listings = createListings(ports)
  return {
    create: (number: NumberRef, given: GivenTemplate) => createTemplate(ports, number, given),
    preview: (number: NumberRef, given: GivenTemplate, variables: unknown) =>
      previewOf(ports, number, given, variables),
    find: (number: NumberRef, idOrName: string, language: string | null) =>
      findTemplate(ports, number, idOrName, language),
    list: (number: NumberRef, query: TemplateQuery) => ports.templates.list(number, query),
    refresh: (number: NumberRef, row: StoredTemplate) => refreshTemplate(ports, number, row),
    update: (input: UpdateInput) => updateTemplate(ports, input),
    remove: (number: NumberRef, idOrName: string, language: string | null) =>
      removeTemplate(ports, number, idOrName, language),
    sync: (number: NumberRef) => syncTemplates(ports, listings, number),
    /** Used by sends. */
    sampleFiles: createSampleFiles(ports),
    refused: (refused: TemplateRefused) => templateRefused(ports, refused),
    /** Takes in what upstream tells of accounts. */
    told: (event: TemplateEvent) => templateTold(ports, event),
    /** Chores; each answers whether there may be more. */
    listDue: (isWanted: () => boolean) => listDueTemplates(ports, listings, isWanted),
    settleAsked: (isWanted: () => boolean) => settleAskedTemplates(ports, isWanted),
  }
}
