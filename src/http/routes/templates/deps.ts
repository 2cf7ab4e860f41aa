import type { CreateTemplateDeps } from '../../../commands/templates/create.ts'
import type { TemplateListings } from '../../../commands/templates/listings.ts'
import type { PreviewDeps } from '../../../commands/templates/preview.ts'
import type { RefreshTemplateDeps } from '../../../commands/templates/refresh.ts'
import type { RemoveTemplateDeps } from '../../../commands/templates/remove.ts'
import type { UpdateTemplateDeps } from '../../../commands/templates/update.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { FlowStore } from '../../../ports/stores/flow-store.ts'
import type { TemplateStore } from '../../../ports/stores/template-store.ts'

/** What the routes of templates use. */
export interface TemplateDeps
  extends CreateTemplateDeps, UpdateTemplateDeps, PreviewDeps, RefreshTemplateDeps, RemoveTemplateDeps {
  readonly templates: Pick<TemplateStore, 'ownerOf' | 'find' | 'list' | 'create' | 'change'>
  readonly flows: Pick<FlowStore, 'find' | 'byExternalIds'>
  readonly listings: TemplateListings
  readonly clock: Clock
}
