"""The addresses of the LTI door, as platforms are told them."""

from django.urls import path

from server.lti.views import keys, launch, login, registration

app_name = "lti"

urlpatterns = [
    path("login", login.login, name="login"),
    path("launch", launch.launch, name="launch"),
    path("deep-link", launch.launch, name="deep-link"),
    path("arrive/<str:ticket>/", launch.arrive, name="arrive"),
    path("enter/<str:ticket>/", launch.enter, name="enter"),
    path("keys", keys.keys, name="keys"),
    path("keys/<uuid:owner>", keys.own_keys, name="own-keys"),
    path("canvas.json", keys.canvas, name="canvas"),
    path("canvas/<uuid:owner>.json", keys.canvas, name="own-canvas"),
    path("register/<str:token>/", registration.register, name="register"),
]
