{{/*
Templates use what Go's text/template has, `toYaml .Values.x | nindent n` and `add .Values.x n`: the test of the chart
(test/process/chart.ts) renders that and no more. Lines of a name begin with the line break before them.
*/}}
{{- define "channel.labels" }}
    app.kubernetes.io/name: channel-messaging
    app.kubernetes.io/instance: {{ .Release.Name }}
    app.kubernetes.io/version: {{ printf "%q" .Chart.AppVersion }}
    app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}
{{- define "channel.image" -}}
{{ printf "%s:%v" .Values.image.repository .Values.image.tag | printf "%q" }}
{{- end }}
{{- define "channel.podSecurity" -}}
{ runAsNonRoot: true, runAsUser: 1000, runAsGroup: 1000, fsGroup: 1000, seccompProfile: { type: RuntimeDefault } }
{{- end }}
{{- define "channel.containerSecurity" -}}
{ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: [ALL] } }
{{- end }}
{{- define "channel.pullSecrets" -}}
[{{ range $index, $name := .Values.image.pullSecrets }}{{ if $index }}, {{ end }}{ name: {{ printf "%q" $name }} }{{ end }}]
{{- end }}
