import '../oauth/authorization-server.test.ts'
import '../oauth/metadata-documents.test.ts'
