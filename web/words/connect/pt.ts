/** Portuguese words of the connect page. */
import type { connect as english, pairing as englishPairing } from './en.ts'
import type { Like } from '../language.ts'

export const pairing: Like<typeof englishPairing> = {
  qrHeading: 'Escaneie o código com seu celular',
  codeHeading: 'Digite o código no seu celular',
  qrLabel: 'Código QR para escanear com o celular',
  qrSteps: [
    'Abra o aplicativo de conversas no celular com este número',
    'Em *Configurações*, escolha *Dispositivos conectados*',
    'Toque em *Conectar dispositivo* e aponte a câmera para o código',
  ],
  codeSteps: [
    'Abra o aplicativo de conversas no celular com este número',
    'Em *Configurações*, escolha *Dispositivos conectados* e depois *Conectar dispositivo*',
    'Toque em *Conectar com número de telefone* e digite o código',
  ],
  newCodeIn: (time) => `Novo código em ${time}`,
  newCodeComing: 'Buscando um novo código…',
  newCodeShown: 'Um novo código está na tela',
  showQr: 'Escanear um código QR',
  showCode: 'Digitar um código',
  copy: 'Copiar código',
  copied: 'Copiado',
  notCopied: 'Não copiado: o navegador não permitiu',
}

export const connect: Like<typeof english> = {
  button: 'Conectar',
  endingIn: (digits) => `com final ${digits}`,
  preview: 'Uma prévia: este código não conecta nada',
  connects: 'Você está conectando',
  loading: { heading: 'Buscando seu código' },
  ready: {
    heading: 'Tudo pronto para conectar',
    text: 'Tenha o celular à mão. O código aparece assim que você começar.',
    start: 'Começar',
  },
  linking: {
    heading: 'Celular aceito, finalizando',
    text: 'Mantenha o aplicativo aberto no celular por mais alguns segundos.',
  },
  passkey: {
    heading: 'Confirme com sua chave de acesso',
    text: 'Seu celular pede uma chave de acesso antes de conectar um dispositivo. Confirme no celular e esta página continua sozinha.',
    back: 'Nada no celular? Volte e conecte com um novo código.',
  },
  connected: { heading: 'Conectado', text: 'Seu número está conectado. Você já pode fechar esta página.' },
  alreadyConnected: { heading: 'Já conectado', text: 'Este número está conectado. Não há mais nada a fazer aqui.' },
  paused: {
    heading: 'Os códigos acabaram',
    text: 'Os códigos ficam na tela só por alguns minutos. Mostre um novo quando estiver com o celular à mão.',
  },
  expired: { heading: 'Este link expirou', text: 'Os links valem por 24 horas. Peça um novo a quem o enviou.' },
  revoked: {
    heading: 'Este link foi substituído',
    text: 'Há um link mais novo para este número. Use esse ou peça outro.',
  },
  invalid: {
    heading: 'Este link não funciona',
    text: 'Confira se o endereço foi copiado por inteiro ou peça um novo link.',
  },
  offline: { heading: 'Você está sem internet', text: 'Esta página continua sozinha assim que a conexão voltar.' },
  failed: {
    SERVER: { heading: 'Algo deu errado do nosso lado', text: 'Estamos tentando de novo.' },
    BUSY: { heading: 'Tentativas demais', text: 'Vamos tentar de novo em instantes.' },
    SLOW: { heading: 'Está demorando mais que o normal', text: 'Continuamos tentando.' },
    ENDED: { heading: 'A conexão foi interrompida', text: 'Estamos buscando um novo código.' },
    WRONG_NUMBER: {
      heading: 'Esse era outro celular',
      text: 'O celular que escaneou o código tem outro número. Use o celular com este número.',
    },
    BANNED: {
      heading: 'Este número está bloqueado',
      text: 'O aplicativo de conversas recusa este número. Resolva isso primeiro no aplicativo do celular.',
    },
  },
  newCode: 'Mostrar um novo código',
  retry: 'Tentar de novo',
  continue: 'Continuar',
  goBack: 'Voltar',
  stay: 'Ficar aqui',
  takenOnIn: (seconds) => `Você volta em ${seconds} s`,
  onPhone: {
    heading: 'Abrir no celular',
    text: 'Aponte a câmera do celular para o código, não o aplicativo de conversas: a mesma página abre lá, com um código para digitar. Quem tem este código pode usar o seu link.',
    label: 'Código QR com o endereço desta página',
    close: 'Fechar',
  },
  help: 'Obter ajuda',
  newWindow: '(abre em uma nova janela)',
  poweredBy: (name) => `Oferecido por ${name}`,
}
