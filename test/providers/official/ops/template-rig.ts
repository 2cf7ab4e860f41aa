import type { ExecutionContext } from 'ava'
import type { TemplateSubmission } from '../../../../src/ports/official/templates.ts'
import { templatesOps } from '../../../../src/providers/official/ops/templates.ts'
import { CREDENTIALS, rig } from '../scripted-graph.ts'
import type { RigOptions } from '../scripted-graph.ts'

export const AT = '/2002/message_templates'
export const ID = '12345678901234567890'
export const FIELDS =
  'id,name,language,status,category,correct_category,rejected_reason,quality_score,parameter_format,components'
export const BODY = { type: 'BODY', text: 'Order {{1}} is on its way', example: { body_text: [['17']] } }
export const SUBMISSION: TemplateSubmission = {
  name: 'order_sent',
  language: 'pt_BR',
  category: 'UTILITY',
  components: [BODY],
  parameterFormat: 'POSITIONAL',
  displayFormat: null,
}
/** A template in the upstream's form. */
export const SHOWN = {
  id: ID,
  name: 'order_sent',
  language: 'pt_BR',
  status: 'APPROVED',
  category: 'UTILITY',
  rejected_reason: 'NONE',
  quality_score: { score: 'GREEN', date: 1_752_583_107 },
  parameter_format: 'POSITIONAL',
  components: [BODY],
}
/** The same template as it is read. */
export const TEMPLATE = {
  externalId: ID,
  name: 'order_sent',
  language: 'pt_BR',
  status: 'APPROVED',
  category: 'UTILITY',
  correctCategory: null,
  rejectedReason: null,
  quality: 'GREEN',
  parameterFormat: 'POSITIONAL',
  components: [BODY],
}

/** A scripted upstream, and the port of an account's templates. */
export async function openedTemplates(t: ExecutionContext, options: RigOptions = {}) {
  const { server, graph } = await rig(t, options)
  return { server, templates: templatesOps(graph, CREDENTIALS) }
}
