import type { Like } from '../../language.ts'
import type { words as english } from './en.ts'

/** Spanish words of the embeds. */
export const words: Like<typeof english> = {
  heading: 'Embeds',
  about: 'Su producto muestra la bandeja o la página de conexión en un marco. Una sesión dice quién puede, y qué abre.',
  surface: 'Qué muestra',
  surfaces: { chat: 'Bandeja', connect: 'Página de conexión' },
  surfaceHints: {
    chat: 'La bandeja de los números elegidos. El token de la sesión la abre.',
    connect: 'Quién puede enmarcar los enlaces de los números. El enlace mismo abre la página.',
  },
  noOrigin: (text: string, meant: string | null) =>
    meant === null
      ? `${text} no es un origen exacto: https, o http en esta máquina, solo con host y puerto.`
      : `${text} no es un origen exacto. ¿Quiere decir ${meant}?`,
  codes: { NUMBER_NOT_FOUND: 'Este número ya no existe. Vuelva a cargar la página.' },
  mint: {
    heading: 'Nueva sesión',
    submit: 'Crear una sesión',
    done: 'La sesión está creada.',
    token: 'Token para la página',
    numbers: 'Números',
    hasNoNumbers: 'Todavía no hay números.',
    numbersHint: { chat: 'Al menos uno.', connect: 'Ninguno son todos los números.' },
    noNumber: 'Elija al menos un número.',
    origins: 'Orígenes que pueden enmarcarla',
    originsHint:
      'Uno por línea, como https://crm.example: solo esquema, host y puerto, hasta 20. Toda página alrededor cuenta.',
    start: 'Quien la usa puede escribir primero',
    startHint: 'A cualquier teléfono, como un envío con tu clave. Si no, solo responde.',
    ttl: 'Vida de un token, en segundos',
    ttlHint: 'De 60 a 3.600. Vacío son 15 minutos para la bandeja y 30 para la página de conexión.',
  },
  sessions: {
    heading: 'Sesiones activas',
    none: 'Ninguna sesión está activa. En general las crea su backend; puede crear una arriba.',
    id: 'Sesión',
    origins: 'Orígenes',
    used: 'Último uso',
    ends: 'Termina',
    act: 'Acción',
    allNumbers: 'todos los números',
    revoke: 'Revocar',
    revokeOf: (id: string) => `Revocar ${id}`,
    revoked: 'La sesión está revocada.',
  },
  snippets: {
    heading: 'Código para copiar',
    about: (version: string) => `Versión ${version} del script, que el navegador comprueba por su integridad.`,
    backend: 'Su backend crea una sesión',
    page: { chat: 'Su página muestra la bandeja', connect: 'Su página muestra un enlace de conexión' },
  },
  doctor: {
    heading: '¿Por qué mi página está vacía?',
    none: 'Cree primero una sesión: la respuesta depende de ella.',
    session: 'Sesión',
    origin: 'Origen de su página',
    originHint: 'Como https://crm.example. Pregunte una vez por cada página alrededor del marco.',
    policy: 'Content-Security-Policy de su página',
    policyHint: 'El valor de la cabecera. Vacío si su página no tiene.',
    submit: 'Mirar',
    allowed: (origin: string) => `La sesión permite ${origin}.`,
    notAllowed: (origin: string) => `La sesión no permite ${origin}. Añádalo a los orígenes de una nueva sesión.`,
    notLive: 'Esta sesión ya no está activa. Cree una nueva.',
    framed: 'Los navegadores muestran el marco en esa página.',
    notFramed: 'Los navegadores rechazan el marco en esa página.',
    policyGood: 'La política permite script, peticiones y marcos.',
    policyLacks: 'A la política le faltan estas líneas:',
  },
  demo: {
    heading: 'Pruébelo aquí',
    about: 'La bandeja de un número en esta página, con el script de arriba. Los mensajes que envíe allí son reales.',
    needsHttps: 'Esto funciona donde el panel se abre por https, o en esta máquina.',
    number: 'Número',
    open: 'Mostrar la bandeja',
    close: 'Cerrar la bandeja',
  },
}
