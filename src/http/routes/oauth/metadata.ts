import { SCOPES } from '../../../domain/oauth.ts'

/** What the authorization server says of itself (RFC 8414; [oauth.endpoints.2]). */
export function serverMetadata(baseUrl: string, isRegistrationOpen: boolean) {
  return {
    issuer: baseUrl,
    authorization_endpoint: `${baseUrl}/oauth/authorize`,
    token_endpoint: `${baseUrl}/oauth/token`,
    ...(isRegistrationOpen ? { registration_endpoint: `${baseUrl}/oauth/register` } : {}),
    revocation_endpoint: `${baseUrl}/oauth/revoke`,
    scopes_supported: SCOPES,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
    revocation_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
  }
}
