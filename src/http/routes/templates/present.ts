import type { Template } from '../../../domain/template.ts'

/** A template as answered ([templates.object.1]). */
export function presentTemplate(template: Template) {
  return {
    id: template.id,
    name: template.name,
    category: template.category,
    language: template.language,
    source: template.source,
    officialStatus: template.officialStatus,
    officialLanguage: template.officialLanguage,
    sendable: template.sendable,
    variables: template.variables,
    body: template.body,
    examples: template.examples,
    externalId: template.externalId,
    upstreamStatus: template.upstreamStatus,
    statusReason: template.statusReason,
    statusDescription: template.statusDescription,
    quality: template.quality,
    requestedCategory: template.requestedCategory,
    correctCategory: template.correctCategory,
    unsupported: template.unsupported,
    submittedAt: template.submittedAt?.toISOString() ?? null,
    createdAt: template.createdAt.toISOString(),
    updatedAt: template.updatedAt.toISOString(),
  }
}
