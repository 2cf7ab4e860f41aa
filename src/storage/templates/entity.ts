import { defineEntity, p } from '@mikro-orm/core'
import type { NumberId, TemplateId, TenantId } from '../../domain/ids.ts'
import type { Fields } from '../../domain/json-fields.ts'
import type { AppliedTimes, ToldMatter } from '../../domain/template-events.ts'
import type {
  TemplateBody,
  TemplateCategory,
  TemplateExamples,
  TemplateParameters,
  TemplateQuality,
  TemplateSource,
  TemplateStatus,
} from '../../domain/template.ts'
import type { TemplateAsk, TemplateFileIds } from '../../ports/stores/template-store.ts'

/**
 * A template of an account or of a number. JSON is kept as text, because what callers write may hold what jsonb
 * refuses, and its keys keep their order.
 */
export const TemplateEntity = defineEntity({
  name: 'Template',
  tableName: 'templates',
  uniques: [
    { name: 'templates_account_name', properties: ['accountId', 'tenantId', 'name', 'language'] },
    { name: 'templates_external_id', properties: ['accountId', 'externalId', 'tenantId'] },
    { name: 'templates_number_name', properties: ['numberId', 'name', 'language'] },
  ],
  indexes: [
    { name: 'templates_asked', properties: ['askedUntil'], where: 'ask is not null' },
    {
      name: 'templates_of_account',
      columns: [
        { name: 'account_id' },
        { name: 'tenant_id' },
        { name: 'created_at', sort: 'desc' },
        { name: 'id', sort: 'desc' },
      ],
      include: ['name', 'category', 'language', 'source', 'officialStatus', 'sendable'],
      where: 'account_id is not null',
    },
    {
      name: 'templates_of_number',
      columns: [{ name: 'number_id' }, { name: 'created_at', sort: 'desc' }, { name: 'id', sort: 'desc' }],
      include: ['name', 'category', 'language', 'source', 'officialStatus', 'sendable'],
      where: 'number_id is not null',
    },
    { name: 'templates_pending', properties: ['accountId', 'tenantId'], where: "official_status = 'PENDING'" },
  ],
  checks: [{ name: 'templates_owner', expression: '(account_id is null) <> (number_id is null)' }],
  properties: {
    id: p.text().$type<TemplateId>().primary(),
    tenantId: p.text().$type<TenantId>(),
    accountId: p.text().nullable(),
    numberId: p.text().$type<NumberId>().nullable(),
    name: p.text(),
    language: p.text(),
    category: p.text().$type<TemplateCategory>(),
    source: p.text().$type<TemplateSource>(),
    officialStatus: p.text().$type<TemplateStatus>().nullable(),
    officialLanguage: p.text().nullable(),
    sendable: p.boolean(),
    variables: p.json<readonly string[]>().columnType('text'),
    body: p.json<TemplateBody>().columnType('text'),
    examples: p.json<TemplateExamples>().columnType('text'),
    unsupported: p.json<readonly string[]>().columnType('text'),
    externalId: p.text().nullable(),
    upstreamStatus: p.text().nullable(),
    statusReason: p.text().nullable(),
    statusDescription: p.text().nullable(),
    quality: p.text().$type<TemplateQuality>().nullable(),
    requestedCategory: p.text().$type<TemplateCategory>().nullable(),
    correctCategory: p.text().$type<TemplateCategory>().nullable(),
    parameters: p.json<TemplateParameters>().columnType('text').nullable(),
    submitted: p.json<readonly Fields[]>().columnType('text').nullable(),
    files: p.json<TemplateFileIds>().columnType('text'),
    /** Times as ISO text. */
    applied: p.json<Readonly<Record<ToldMatter, string | null>> & Pick<AppliedTimes, 'of'>>().columnType('text'),
    ask: p.json<TemplateAsk>().columnType('text').nullable(),
    askedUntil: p.datetime(3).nullable(),
    askTries: p.integer().default(0),
    submittedAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
})

/** The listing that last had a template; kept apart from the rows, which are wide. */
export const TemplateSightingEntity = defineEntity({
  name: 'TemplateSighting',
  tableName: 'template_sightings',
  properties: {
    templateId: p.text().$type<TemplateId>().primary(),
    listing: p.text(),
  },
})
