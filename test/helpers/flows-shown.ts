/** What the platform finds wrong with a document. */
export const FAULT = {
  error: 'INVALID_PROPERTY_VALUE',
  message: "Invalid value found for property 'type'.",
  line_start: 10,
}

/** A draft as the service answers it. */
export const DRAFT = {
  id: 'flow_1',
  officialFlowId: '1203948573629104857',
  name: 'Book a visit',
  officialStatus: 'DRAFT',
  categories: ['APPOINTMENT_BOOKING'],
  healthStatus: 'AVAILABLE',
  validationErrors: [FAULT],
  previewUrl: 'https://platform.example/preview',
  clonedFromFlowId: null,
  supersededByFlowId: null,
  syncError: null,
  updatedAt: '2026-11-01T10:00:00.000Z',
}
