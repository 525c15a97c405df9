"""Error classes that hold for every dialect: statuses, pages, shapes of error bodies."""

import pytest

from geo_assets.model.errors import ErrorClass
from geo_assets.platforms.failures import find_error
from geo_assets.platforms.registry import DIALECTS
from geo_assets_tests.platforms.bodies import read, refused

PAGE = "<html><head><title>Gateway</title></head><body>gone wrong</body></html>"
LOGIN = "<html><body><h1>请登录</h1><input type='password' name='p'></body></html>"


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize(
    ("status", "error"),
    [
        (400, ErrorClass.INVALID_REQUEST),
        (401, ErrorClass.AUTH),
        (402, ErrorClass.QUOTA_EXHAUSTED),
        (403, ErrorClass.PERMISSION),
        (404, ErrorClass.INVALID_REQUEST),
        (408, ErrorClass.SERVER_ERROR),
        (422, ErrorClass.INVALID_REQUEST),
        (429, ErrorClass.RATE_LIMITED),
        (451, ErrorClass.CONTENT_FILTERED),
        (500, ErrorClass.SERVER_ERROR),
        (502, ErrorClass.SERVER_ERROR),
        (503, ErrorClass.OVERLOADED),
        (504, ErrorClass.SERVER_ERROR),
        (529, ErrorClass.OVERLOADED),
        (599, ErrorClass.SERVER_ERROR),
    ],
)
def test_a_bare_status_has_a_class(dialect: str, status: int, error: ErrorClass) -> None:
    assert refused(read(dialect, b"", status)).error is error
    assert refused(read(dialect, {"unheard": "of"}, status)).error is error


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("status", [500, 502, 503, 504])
def test_a_page_with_a_5xx_is_a_server_error(dialect: str, status: int) -> None:
    reply = refused(read(dialect, PAGE, status, {"retry-after": "7"}))
    assert (reply.error, reply.code, reply.retry_after) == (ErrorClass.SERVER_ERROR, "error_page", 7.0)
    assert reply.message == f"HTTP {status}: Gateway gone wrong"


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize(
    ("body", "code"),
    [
        (PAGE, "error_page"),
        (LOGIN, "login_page"),
        ("", "empty_body"),
        ('{"choices": [{"message": {"content": "half an ans', "not_json"),
        ("null", "no_answer"),
        ("[]", "no_answer"),
        ("42", "no_answer"),
        ('{"hello": "world"}', "no_answer"),
    ],
)
def test_what_is_no_answer_under_200_is_unreadable_and_kept(dialect: str, body: str, code: str) -> None:
    reply = refused(read(dialect, body))
    assert (reply.error, reply.code, reply.accepted) == (ErrorClass.UNREADABLE, code, False)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_rate_limit_page_keeps_its_wait(dialect: str) -> None:
    reply = refused(read(dialect, PAGE, 429, {"retry-after": "11"}))
    assert (reply.error, reply.retry_after) == (ErrorClass.RATE_LIMITED, 11.0)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_redirect_is_a_wrong_base_url_and_says_where_to(dialect: str) -> None:
    reply = refused(read(dialect, b"", 302, {"location": "https://sso.test/login?token=secret"}))
    assert (reply.error, reply.code) == (ErrorClass.INVALID_REQUEST, "redirect")
    assert reply.message == "HTTP 302 to https://sso.test/login; check base_url"


@pytest.mark.parametrize("dialect", DIALECTS)
def test_no_wait_is_asked_for_where_waiting_does_not_help(dialect: str) -> None:
    assert refused(read(dialect, {"error": {"message": "no"}}, 401, {"retry-after": "9"})).retry_after is None


@pytest.mark.parametrize("dialect", DIALECTS)
def test_an_error_in_an_event_stream_with_a_bad_status_is_found(dialect: str) -> None:
    reply = refused(read(dialect, 'data: {"error": {"message": "busy", "code": "x"}}\n\n', 503))
    assert (reply.error, reply.message) == (ErrorClass.OVERLOADED, "busy")


@pytest.mark.parametrize(
    ("body", "code", "kind", "message"),
    [
        ({"error": {"code": "a", "type": "b", "message": "c"}}, "a", "b", "c"),
        ({"error": {"code": None, "type": "b", "message": "c"}}, None, "b", "c"),
        ({"error": {"code": 404, "type": "NotFoundError"}}, "404", "NotFoundError", ""),
        ({"error": "Unauthorized"}, None, None, "Unauthorized"),
        ({"code": "Throttling", "message": "m", "request_id": "r"}, "Throttling", None, "m"),
        ({"object": "error", "message": "m", "type": "t", "code": 404}, "404", "t", "m"),
        ({"detail": "Not Found"}, None, None, "Not Found"),
        (
            {"detail": [{"loc": ["body"], "msg": "field required"}]},
            None,
            None,
            "[{'loc': ['body'], 'msg': 'field required'}]",
        ),
    ],
)
def test_errors_come_in_many_shapes(body: object, code: str | None, kind: str | None, message: str) -> None:
    error = find_error(body)
    assert error is not None
    assert (error.code, error.kind, error.message) == (code, kind, message)


@pytest.mark.parametrize(
    "body",
    [
        {"message": "hello"},
        {"code": 1},
        {"message": "m", "type": "t", "output": {}},
        {},
        {"error": None},
        {"error": {}},
        {"error": ""},
        {"choices": [], "code": "", "message": ""},
        [],
        None,
    ],
)
def test_no_error_is_seen_where_there_is_none(body: object) -> None:
    assert find_error(body) is None


@pytest.mark.parametrize(
    ("dialect", "error"),
    [("openai-responses", ErrorClass.QUOTA_EXHAUSTED), ("dashscope", ErrorClass.RATE_LIMITED)],
)
def test_one_word_means_a_bill_here_and_tokens_a_minute_there(dialect: str, error: ErrorClass) -> None:
    body = {"error": {"code": "insufficient_quota", "type": "insufficient_quota", "message": "m"}}
    assert refused(read(dialect, body, 429)).error is error


@pytest.mark.parametrize(
    ("dialect", "code", "status", "error"),
    [
        ("ark-responses", "RateLimitExceeded.EndpointTPMExceeded", 429, ErrorClass.RATE_LIMITED),
        ("ark-responses", "SensitiveContentDetected.Violence", 400, ErrorClass.CONTENT_FILTERED),
        ("ark-responses", "QuotaExceeded", 429, ErrorClass.QUOTA_EXHAUSTED),
        ("ark-responses", "AccountRateLimitExceeded", 429, ErrorClass.RATE_LIMITED),
        ("ark-responses", "InvalidEndpoint.ClosedEndpoint", 400, ErrorClass.INVALID_REQUEST),
        ("openai-responses", "project_spend_limit_exceeded", 429, ErrorClass.QUOTA_EXHAUSTED),
        ("openai-responses", "credit_balance_exhausted", 429, ErrorClass.QUOTA_EXHAUSTED),
        ("openai-responses", "organization_spend_limit_exceeded", 429, ErrorClass.QUOTA_EXHAUSTED),
        ("openai-responses", "organization_usage_limit_exceeded", 429, ErrorClass.QUOTA_EXHAUSTED),
        ("openai-responses", "content_policy_violation", 400, ErrorClass.CONTENT_FILTERED),
        ("openai-responses", "misalignment_policy_violation", 400, ErrorClass.CONTENT_FILTERED),
        ("openai-responses", "data_residency_mismatch", 400, ErrorClass.PERMISSION),
        ("openai-responses", "slow_down", 429, ErrorClass.OVERLOADED),
        ("openai-responses", "something_new", 429, ErrorClass.OVERLOADED),
        ("tencent-tokenhub", "401008", 402, ErrorClass.QUOTA_EXHAUSTED),
        ("tencent-tokenhub", "403005", 403, ErrorClass.PERMISSION),
        ("tencent-tokenhub", "400004", 400, ErrorClass.INVALID_REQUEST),
    ],
)
def test_codes_of_the_tables_that_no_fixture_shows(dialect: str, code: str, status: int, error: ErrorClass) -> None:
    assert refused(read(dialect, {"error": {"code": code, "message": "m"}}, status)).error is error


@pytest.mark.parametrize(
    ("code", "status", "error"),
    [
        ("Throttling", 429, ErrorClass.RATE_LIMITED),
        ("Throttling.SomethingNew", 429, ErrorClass.RATE_LIMITED),
        ("PrepaidBillOverdue", 429, ErrorClass.QUOTA_EXHAUSTED),
        ("CommodityNotPurchased", 429, ErrorClass.QUOTA_EXHAUSTED),
        ("Model.AccessDenied", 403, ErrorClass.PERMISSION),
        ("ModelServingError", 500, ErrorClass.OVERLOADED),
    ],
)
def test_flat_codes_of_dashscope(code: str, status: int, error: ErrorClass) -> None:
    assert refused(read("dashscope", {"code": code, "message": "m", "request_id": "r"}, status)).error is error


@pytest.mark.parametrize(
    "secret", ["sk-abcdefghijklmnop123", "Bearer abcdefghijklmnop123", "bce-v3/ALTAK-abc/0123456789"]
)
def test_a_key_quoted_in_a_message_is_blotted_out(secret: str) -> None:
    reply = refused(read("openai-chat", {"error": {"message": f"Wrong key {secret}.", "code": "invalid_api_key"}}, 401))
    assert "…" in reply.message
    assert secret[-8:] not in reply.message


def test_a_code_is_read_before_the_status() -> None:
    body = {"error": {"code": "401007", "type": "permission_error", "message": "欠费"}}
    assert refused(read("tencent-tokenhub", body, 403)).error is ErrorClass.QUOTA_EXHAUSTED
