import type { LeadPageScope } from '../../ports/stores/lead-page-store.ts'
import { readBackfill, startBackfill } from './backfill.ts'
import type { BackfillInput } from './backfill.ts'
import { findPage } from './find-page.ts'
import { listForms } from './forms.ts'
import { linkPage } from './link-page.ts'
import type { LinkPageInput } from './link-page.ts'
import type { LeadNode } from './node.ts'
import { patchPage } from './patch-page.ts'
import type { PageChange } from './patch-page.ts'
import { refreshPage, refreshPages } from './refresh-page.ts'
import { removePage } from './remove-page.ts'
import { setForm } from './set-form.ts'
import type { SetFormInput } from './set-form.ts'

/** Makes the commands of the Pages of leads and of their forms. */
export function createLeadPages(node: LeadNode) {
  return {
    linkPage: (input: LinkPageInput) => linkPage(node, input),
    listPages: (scope: LeadPageScope) => node.leadPages.list(scope),
    findPage: (scope: LeadPageScope, pageId: string) => findPage(node, scope, pageId),
    refreshPage: (scope: LeadPageScope, pageId: string) => refreshPage(node, scope, pageId),
    refreshPages: (scope: LeadPageScope) => refreshPages(node, scope),
    patchPage: (scope: LeadPageScope, pageId: string, change: PageChange) => patchPage(node, scope, pageId, change),
    removePage: (scope: LeadPageScope, pageId: string) => removePage(node, scope, pageId),
    listForms: (scope: LeadPageScope, pageId: string) => listForms(node, scope, pageId),
    setForm: (scope: LeadPageScope, input: SetFormInput) => setForm(node, scope, input),
    startBackfill: (scope: LeadPageScope, input: BackfillInput) => startBackfill(node, scope, input),
    readBackfill: (scope: LeadPageScope, pageId: string, formId: string) => readBackfill(node, scope, pageId, formId),
  }
}
