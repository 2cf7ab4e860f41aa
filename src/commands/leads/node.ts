import { createAppSecrets } from './app-secrets.ts'
import type { AppSecrets } from './app-secrets.ts'
import { createLeadMeasures } from './measures.ts'
import type { LeadMeasures } from './measures.ts'
import type { LeadPorts } from './ports.ts'
import { createPrivacyMode } from './privacy-mode.ts'
import type { PrivacyMode } from './privacy-mode.ts'
import { createLeadForms } from './remembered-forms.ts'
import type { LeadForms } from './remembered-forms.ts'

/** The ports of leads, with what exists of them once a node. */
export interface LeadNode extends LeadPorts {
  readonly appSecrets: AppSecrets
  readonly forms: LeadForms
  readonly measures: LeadMeasures
  readonly privacyMode: PrivacyMode
}

/** Makes what exists of leads once a node. */
export function createLeadNode(ports: LeadPorts): LeadNode {
  return {
    ...ports,
    appSecrets: createAppSecrets(ports),
    forms: createLeadForms(ports.clock),
    measures: createLeadMeasures(ports.metrics),
    privacyMode: createPrivacyMode(ports),
  }
}
